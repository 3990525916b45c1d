import { type RouteEntry, ROUTES, type ServiceName, SERVICES } from '@plat/contracts/core';
import { controllersOf } from '../services';
import { declaredOperations } from './declared-operations';
import { openApiDocument } from './document';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
  responses: Record<string, { description: string; headers?: object }>;
}

function operation(service: ServiceName, path: string, method: string): Operation {
  const { paths } = openApiDocument(service, controllersOf(service)) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const found = paths[path]?.[method];
  if (!found) throw new Error(`${service} has no ${method} ${path}`);
  return found;
}

describe('the controllers', () => {
  it.each(SERVICES)('of %s handle each of its routes in the table once, and nothing else', (service) => {
    const handled = controllersOf(service)
      .flatMap(declaredOperations)
      .map(({ name }) => name);
    const listed = Object.entries(ROUTES).flatMap(([name, route]) =>
      route.service === service ? [name] : [],
    );
    expect(handled.sort()).toEqual(listed.sort());
  });
});

describe('the OpenAPI document', () => {
  it('names path and query parameters', () => {
    expect(operation('reviews', '/v1/reviews/{review_id}/history', 'get').parameters).toContainEqual({
      name: 'review_id',
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    });
    expect(operation('audit', '/v1/audit-events', 'get').parameters.map(({ name }) => name)).toContain(
      'erunUserId',
    );
  });

  it.each(Object.values(ROUTES))(
    'names what a caller has and how long it waits exactly where that counts: $method $template',
    ({ service, template, method, revalidates, waits, keyed }: RouteEntry) => {
      const { parameters, responses } = operation(service, template, method.toLowerCase());
      const headers = parameters.filter((each) => each.in === 'header').map(({ name }) => name);
      expect(headers).toEqual([
        ...(revalidates ? ['If-None-Match'] : []),
        ...(waits ? ['Prefer'] : []),
        ...(keyed ? ['Idempotency-Key'] : []),
      ]);
      const answered = Object.keys(responses[304]?.headers ?? {});
      expect(answered).toEqual([...(revalidates ? ['ETag'] : []), ...(waits ? ['Preference-Applied'] : [])]);
    },
  );

  it('refers to the shape of the body', () => {
    const { requestBody } = operation('reviews', '/v1/reviews', 'post');
    expect(requestBody?.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/CreateReview',
    });
  });

  it('lists the statuses of an operation with their codes', () => {
    const { responses } = operation('releases', '/v1/releases', 'post');
    expect(Object.keys(responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '421',
      '500',
      '503',
    ]);
    expect(responses[403]?.description).toBe(
      'FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED',
    );
  });

  it('describes a page with the shape of its rows', () => {
    const { components } = openApiDocument('audit', controllersOf('audit')) as {
      components: { schemas: Record<string, unknown> };
    };
    const ofTheTrail = Object.keys(components.schemas).filter((name) => !name.startsWith('AuditLog'));
    expect(ofTheTrail).toEqual(['AuditEvent', 'AuditEventPage', 'Error']);
  });
});
