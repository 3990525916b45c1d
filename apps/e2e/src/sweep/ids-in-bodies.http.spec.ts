import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RouteName, routeNamed, SERVICES } from '@plat/contracts/core';
import { startTestService, type TestService } from '@plat/testing';
import { ALL_SERVICES } from '../all-services';
import { BODIES } from './bodies';
import { revealedBy } from './revealed';
import { makeScene, type PathIds } from './scene';

const OPENAPI = join(__dirname, '../../../../docs/openapi');

interface Property {
  format?: string;
  items?: { format?: string };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, Property> }> };
}
interface Operation {
  operationId: RouteName;
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
}

/** Every field of a request body that is an id by the OpenAPI documents, with its route. */
function idFields(): [RouteName, string][] {
  return SERVICES.flatMap((service) => {
    const document = JSON.parse(readFileSync(join(OPENAPI, `${service}.json`), 'utf8')) as Document;
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    return operations.flatMap(({ operationId, requestBody }) => {
      if (!requestBody) return [];
      const shape = requestBody.content['application/json'].schema.$ref.split('/').at(-1)!;
      const properties = Object.entries(document.components.schemas[shape]!.properties);
      const ids = properties.filter(([, { format, items }]) => (format ?? items?.format) === 'uuid');
      return ids.map(([field]): [RouteName, string] => [operationId, field]);
    });
  });
}

/** The part of the body that names a scene's row by the field. A field that is missing here fails the test. */
const NAMED: Record<string, (ids: PathIds) => object> = {
  'addReviewer userId': ({ user_id: userId }) => ({ userId }),
  'createComment parentCommentId': ({ comment_id: parentCommentId }) => ({ parentCommentId, line: 1 }),
  'createGateRun reviewId': ({ review_id: reviewId }) => ({ reviewId }),
  'createReviewBuild environmentId': ({ environment_id: environmentId }) => ({ environmentId }),
  'createBuild environmentId': ({ environment_id: environmentId }) => ({ environmentId }),
  'createRelease reviewId': ({ review_id: reviewId }) => ({ reviewId }),
  'createUser roleIds': ({ role_id: roleId }) => ({ roleIds: [roleId] }),
  'grantRole roleId': ({ role_id: roleId }) => ({ roleId }),
  'updateReviewStatus buildId': ({ build_id: buildId }) => ({
    buildId,
    status: 'MERGED',
    remoteUrl: 'https://git.example/acme/swept',
  }),
};

describe('an id of another tenant in a body is answered exactly as an id that exists nowhere', () => {
  let service: TestService;
  let own: PathIds;
  let foreign: PathIds;
  beforeAll(async () => {
    service = await startTestService(...ALL_SERVICES);
    [own, foreign] = [await makeScene(service, 'acme'), await makeScene(service, 'globex')];
  }, 30_000);
  afterAll(() => service.stop());

  async function ask(name: RouteName, named: object): Promise<{ status: number; revealed: string }> {
    const { method, template } = routeNamed(name);
    const path = template.replace(/\{([a-z_]+)\}/g, (_, parameter: string) => own[parameter]!);
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: await service.bearer('alice') },
      body: JSON.stringify({ ...BODIES[name]?.(own), ...named }),
    });
    return { status: response.status, revealed: revealedBy(response, await response.text()) };
  }

  it('has an entry for every id field of the OpenAPI documents', () => {
    expect(Object.keys(NAMED).sort()).toEqual(
      idFields()
        .map((field) => field.join(' '))
        .sort(),
    );
  });

  it.each(idFields())('%s: %s', async (name, field) => {
    const named = NAMED[`${name} ${field}`]!;
    const nowhere = Object.fromEntries(Object.keys(own).map((parameter) => [parameter, randomUUID()]));
    const answer = await ask(name, named(foreign));
    expect(answer.status).toBe(404);
    expect(answer.revealed).toBe((await ask(name, named(nowhere))).revealed);
  });
});
