import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { declaredOperations } from '../openapi/declared-operations';
import { openApiDocument } from '../openapi/document';
import { controllersOf } from '../services';
import { renderIndex, renderOperations } from './operations';

export const CLIENT_FOLDER = 'libs/api-client/src/generated';

/** The generated part of the client: for each service its document's types and its functions. */
export async function clientFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = { [`${CLIENT_FOLDER}/index.ts`]: renderIndex(SERVICES) };
  for (const service of SERVICES) {
    const operations = controllersOf(service).flatMap(declaredOperations);
    files[`${CLIENT_FOLDER}/${service}.ts`] = renderOperations(service, operations);
    files[`${CLIENT_FOLDER}/${service}.schema.ts`] = await schemaTypes(service);
  }
  return formatted(files);
}

async function formatted(files: Record<string, string>): Promise<Record<string, string>> {
  const style = await resolveConfig('tsconfig.json');
  const entries = Object.entries(files).map(async ([path, source]) => {
    return [path, await format(source, { ...style, parser: 'typescript' })] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function schemaTypes(service: ServiceName): Promise<string> {
  const document = openApiDocument(service, controllersOf(service)) as unknown as OpenAPI3;
  return `// Written by \`npm run generate\` from docs/openapi/${service}.json; nobody edits it.\n${astToString(await openapiTS(document))}`;
}
