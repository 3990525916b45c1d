import {
  defined,
  type ErrorCode,
  ERRORS,
  KEYED_CODES,
  pathParameters,
  type RouteEntry,
  type ServiceName,
  SHARED_CODES,
  SIGNED_IN_CODES,
  WAIT_SECONDS_MAX,
} from '@plat/contracts/core';
import { declaredFields } from '@plat/contracts/fields';
import { type DeclaredOperation, declaredOperations, type Shape } from './declared-operations';
import { errorExamples, exampleOf, exampleReferences } from './examples';
import { componentSchemas, ERROR_SCHEMA, reference, type Schema, UNRESOLVED_THREADS_SCHEMA } from './schemas';

const ABOUT: Record<ServiceName, string> = {
  reviews: 'Reviews of work to be merged, and the merge queue that is the only path to MERGED.',
  builds: 'Reports of builds. A report moves its review.',
  releases: 'The release queue: one release for each merged commit.',
  audit: 'The audit trail: one row for each authorized request.',
  platform: 'What the platform is, and who may do what on it.',
};

const PREFER =
  `wait=N: with If-None-Match, answer once the answer is another, or 304 after N seconds, ${WAIT_SECONDS_MAX} at most ` +
  '(RFC 7240)';

const IDEMPOTENCY_KEY =
  '1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered ' +
  'as the first request was, and creates nothing';

/** The OpenAPI 3.1 document of one service, from its controllers. */
export function openApiDocument(service: ServiceName, controllers: Shape[]): Schema {
  const operations = controllers.flatMap(declaredOperations).sort(byPathAndMethod);
  const shapes = operations
    .flatMap(({ body, response }) => [body, response])
    .filter((shape) => shape !== undefined);
  const paths: Record<string, Record<string, Schema>> = {};
  for (const declared of operations) {
    const { template, method } = declared.route;
    (paths[template] ??= {})[method.toLowerCase()] = operationObject(declared);
  }
  return {
    openapi: '3.1.0',
    info: { title: `plat ${service}`, version: 'v1', description: ABOUT[service] },
    servers: [{ url: '/', description: 'The edge of the deployment that serves this document' }],
    paths,
    components: {
      schemas: defined({
        ...componentSchemas(shapes),
        Error: ERROR_SCHEMA,
        UnresolvedThreads: operations.some(meetsThreads) ? UNRESOLVED_THREADS_SCHEMA : undefined,
      }),
      examples: errorExamples(operations.flatMap((operation) => [...codesOf(operation)])),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function operationObject(declared: DeclaredOperation): Schema {
  const { name, route, query, body } = declared;
  return defined<unknown>({
    operationId: name,
    summary: route.summary,
    security: route.public ? [] : [{ bearer: [] }],
    parameters: [
      ...pathParameters(route.template).map(pathParameter),
      ...(query ? queryParameters(query) : []),
      ...headerParameters(route),
    ],
    requestBody: body && {
      required: true,
      content: json(reference(body.name), { example: exampleOf(body) }),
    },
    responses: { ...successResponses(declared), ...errorResponses(declared) },
  });
}

function pathParameter(name: string): Schema {
  return { name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
}

function queryParameters(query: Shape): Schema[] {
  return declaredFields(query).map(({ name, rule, description, optional }) => ({
    name,
    in: 'query',
    required: !optional,
    description,
    schema: rule.schema,
  }));
}

/** Returns the headers of a request in addition to its query: what the caller has, and how long it prefers to wait. */
function headerParameters({ revalidates, waits, keyed }: RouteEntry): Schema[] {
  const header = (name: string, description: string): Schema => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(revalidates ? [header('If-None-Match', 'The ETag of the answer that the caller has')] : []),
    ...(waits ? [header('Prefer', PREFER)] : []),
    ...(keyed ? [header('Idempotency-Key', IDEMPOTENCY_KEY)] : []),
  ];
}

function responseHeaders({ revalidates, waits, keyed }: RouteEntry): Record<string, Schema> | undefined {
  const header = (description: string): Schema => ({ description, schema: { type: 'string' } });
  if (keyed) {
    return { 'Idempotency-Replayed': header('true, if an earlier request with the key was answered so') };
  }
  if (!revalidates) return undefined;
  return defined({
    ETag: header('Names this answer, for If-None-Match'),
    'Preference-Applied': waits ? header('wait=N, if the request has waited; N may be lowered') : undefined,
  });
}

/** createRelease has two: if the commit has a release already, it answers 200. Spec: API, Releases. */
function successResponses({ name, route, response, list }: DeclaredOperation): Record<string, Schema> {
  const item = response && reference(response.name);
  const content =
    response &&
    (list
      ? json({ type: 'array', items: item }, { example: [exampleOf(response)] })
      : json(item!, { example: exampleOf(response) }));
  const headers = responseHeaders(route);
  const success = (description: string): Schema => defined({ description, headers, content });
  return defined({
    200: name === 'createRelease' ? success('The release that the commit has already') : undefined,
    [route.status]: success(list ? 'In the order of the contract' : 'Done'),
    304: route.revalidates
      ? { description: 'Unchanged: If-None-Match names the current ETag', headers }
      : undefined,
  });
}

function errorResponses(declared: DeclaredOperation): Record<string, Schema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(declared)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, sharing]) => {
      const threads = status === 409 && meetsThreads(declared);
      const schema = threads
        ? { oneOf: [reference('Error'), reference('UnresolvedThreads')] }
        : reference('Error');
      return [
        status,
        { description: sharing.join(', '), content: json(schema, { examples: exampleReferences(sharing) }) },
      ];
    }),
  );
}

/** The codes with which an operation may refuse. */
function codesOf({ route }: DeclaredOperation): Set<ErrorCode> {
  const signedIn = route.public ? [] : SIGNED_IN_CODES;
  return new Set([...route.codes, ...(route.keyed ? KEYED_CODES : []), ...signedIn, ...SHARED_CODES]);
}

/** Only plain advance looks at comment threads. */
function meetsThreads({ name }: DeclaredOperation): boolean {
  return name === 'advanceMergeQueue';
}

function json(schema: Schema, examples: { example: unknown } | { examples: Schema }): Schema {
  return { 'application/json': { schema, ...examples } };
}

function byPathAndMethod(a: DeclaredOperation, b: DeclaredOperation): number {
  const [left, right] = [a, b].map(({ route }) => `${route.template} ${route.method}`) as [string, string];
  return left < right ? -1 : 1;
}
