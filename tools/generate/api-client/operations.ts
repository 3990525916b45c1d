import { KEYED_CODES, pathParameters, type ServiceName } from '@plat/contracts/core';
import type { DeclaredOperation } from '../openapi/declared-operations';
import { answerKey, answersOf, renderAbout, renderAnswers } from './answer-shapes';
import { renderTypes } from './types';

const HEAD = "// Written by `npm run generate` from the service's controllers. Do not edit.\n";

/** The client's source for one service: a type for each shape and one function for each operation. */
export function renderOperations(service: ServiceName, operations: DeclaredOperation[]): string {
  const usesSegments = operations.some(({ route }) => pathParameters(route.template).length > 0);
  return [
    HEAD,
    `import { type ApiClient${usesSegments ? ', segment' : ''} } from '../api-client';\n`,
    renderTypes(operations),
    renderAnswers(service, operations),
    ...operations.map((operation) => renderOperation(service, operation)),
  ].join('');
}

/** The list of what the client offers. */
export function renderIndex(services: readonly ServiceName[]): string {
  const tables = services.map((service) => `  ...${answersOf(service)},\n`).join('');
  return [
    HEAD,
    ...services.map((service) => `import { ${answersOf(service)} } from './${service}';\n`),
    '\n',
    ...services.map((service) => `export * from './${service}';\n`),
    `\n/** The answers of the routes of the API when they succeed, by method and template. */\nexport const ANSWERS = {\n${tables}} as const;\n`,
  ].join('');
}

function renderOperation(service: ServiceName, operation: DeclaredOperation): string {
  const { name, route, response, list } = operation;
  const inputs = inputsOf(operation);
  const parameters =
    inputs.length === 0 ? '' : `, input: { ${inputs.map(declaration).join('; ')} }${optionality(inputs)}`;
  const result = response ? `${response.name}${list ? '[]' : ''}` : 'void';
  const extras = inputs
    .filter(({ place }) => place !== 'path')
    .map(({ place }) => `, ${place}: input.${place}`);
  const codes = [...route.codes, ...(route.keyed ? KEYED_CODES : [])];
  return [
    '\n/**\n',
    ` * ${route.summary}. \`${route.method} ${route.template}\`\n`,
    codes.length > 0 ? ` *\n * @throws ApiFault ${codes.join(', ')}\n` : '',
    ' */\n',
    `export function ${name}(api: ApiClient${parameters}): Promise<${result}> {\n`,
    `  return api.send({ method: '${route.method}', path: ${path(route.template)}${extras.join('')}, expected: ${answersOf(service)}[${answerKey(operation)}]${renderAbout(operation)} });\n`,
    '}\n',
  ].join('');
}

interface Input {
  place: 'path' | 'query' | 'body';
  name: string;
  type: string;
  optional: boolean;
}

function inputsOf({ route, query, body }: DeclaredOperation): Input[] {
  const parameters = pathParameters(route.template).map((parameter): Input => ({
    place: 'path',
    name: camelCase(parameter),
    type: 'string',
    optional: false,
  }));
  return [
    ...parameters,
    ...(query ? [{ place: 'query', name: 'query', type: query.name, optional: true } as const] : []),
    ...(body ? [{ place: 'body', name: 'body', type: body.name, optional: false } as const] : []),
  ];
}

function declaration({ name, type, optional }: Input): string {
  return `${name}${optional ? '?' : ''}: ${type}`;
}

function optionality(inputs: Input[]): string {
  return inputs.every(({ optional }) => optional) ? ' = {}' : '';
}

function path(template: string): string {
  if (!template.includes('{')) return `'${template}'`;
  return `\`${template.replace(/\{([a-z_]+)\}/g, (_match, name: string) => `\${segment(input.${camelCase(name)})}`)}\``;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
