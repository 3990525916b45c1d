import { pathParameters, type RouteEntry, type RouteName, ROUTES } from '@plat/contracts/core';
import { startTestService, type TestService } from '@plat/testing';
import { ALL_SERVICES } from '../all-services';
import { BODIES, QUERIES } from './bodies';
import { CALLERS, type IdKind, KINDS, type Outcome, outcomeOf, type SweptCaller } from './expected';
import { revealedBy } from './revealed';
import { makeScene, type PathIds } from './scene';

const routes = Object.entries(ROUTES) as [RouteName, RouteEntry][];

interface Cell {
  route: RouteEntry;
  query: string;
  caller: SweptCaller;
  kind: IdKind;
  ids: PathIds;
  body: object | undefined;
}

describe('every route x (own, foreign, missing, malformed id) x (no token, each role)', () => {
  let service: TestService;
  let scenes: Record<'acme' | 'globex', PathIds>;
  beforeAll(async () => {
    service = await startTestService(...ALL_SERVICES);
    scenes = { acme: await makeScene(service, 'acme'), globex: await makeScene(service, 'globex') };
  }, 30_000);
  afterAll(() => service.stop());

  function idsOf(caller: SweptCaller, kind: IdKind): PathIds {
    const [own, foreign] = caller === 'mallory' ? [scenes.globex, scenes.acme] : [scenes.acme, scenes.globex];
    if (kind === 'own') return own;
    if (kind === 'foreign') return foreign;
    const value = kind === 'missing' ? '00000000-0000-0000-0000-000000000000' : 'not-a-uuid';
    return Object.fromEntries(Object.keys(own).map((parameter) => [parameter, value]));
  }

  async function ask({ route, query, caller, ids, body }: Cell) {
    const path = route.template.replace(/\{([a-z_]+)\}/g, (_, parameter: string) => ids[parameter] ?? '');
    const response = await fetch(service.url + path + query, {
      method: route.method,
      headers: caller === 'nobody' ? {} : { authorization: await service.bearer(caller) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const requestId = response.headers.get('x-request-id')!;
    return { requestId, status: response.status, text, revealed: revealedBy(response, text) };
  }

  function expectOutcome(outcome: Outcome, { status, text }: { status: number; text: string }, cell: string) {
    const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
    const answered = { cell, status, code };
    if (outcome === 'unauthenticated') {
      expect(answered).toEqual({ cell, status: 401, code: 'UNAUTHENTICATED' });
    } else if (outcome === 'forbidden' || outcome === 'not_author') {
      expect(answered).toEqual({ cell, status: 403, code: 'FORBIDDEN' });
    } else if (outcome === 'malformed') {
      expect(answered).toEqual({ cell, status: 400, code: 'INVALID_PATH_ID' });
    } else if (outcome === 'absent') {
      expect(answered).toEqual({ cell, status: 404, code: 'NOT_FOUND' });
    } else {
      expect({ ...answered, reached: status < 500 && ![401, 403].includes(status) }).toMatchObject({
        reached: true,
      });
    }
  }

  it('has a body and the ids of the path for every route', () => {
    for (const [name] of routes) expect(Object.keys(BODIES)).toContain(name);
    const known = Object.keys(scenes.acme);
    for (const [, { template }] of routes) {
      expect(known).toEqual(expect.arrayContaining(pathParameters(template)));
    }
  });

  it.each(routes.map(([name, route]) => [`${route.method} ${route.template}`, name, route] as const))(
    '%s',
    async (_, name, route) => {
      const audited = { expected: [] as string[], refused: [] as string[] };
      const kinds: readonly IdKind[] = pathParameters(route.template).length > 0 ? KINDS : ['own'];
      for (const caller of CALLERS) {
        const absent = new Set<string>();
        for (const kind of kinds) {
          const ids = idsOf(caller, kind);
          // A body names the caller's own rows, because the sweep judges the path.
          const body = BODIES[name]?.(idsOf(caller, 'own'));
          const outcome = kinds.length === 1 ? withoutId(route, caller) : outcomeOf(route, caller, kind);
          const query = QUERIES[name] ?? '';
          const answer = await ask({ route, query, caller, kind, ids, body });
          expectOutcome(outcome, answer, `${caller}, ${kind}`);
          if (outcome === 'absent') absent.add(answer.revealed);
          const authorized = !route.public && !['unauthenticated', 'forbidden'].includes(outcome);
          audited[authorized ? 'expected' : 'refused'].push(answer.requestId);
        }
        // "An id of another tenant is answered exactly as an id that exists nowhere", headers included.
        expect(absent.size).toBeLessThanOrEqual(1);
      }
      const rows = await service.database.query<{ request_id: string; api_path: string }>(
        'SELECT request_id, api_path FROM audit.audit_events WHERE request_id = ANY ($1)',
        [[...audited.expected, ...audited.refused]],
      );
      expect(rows.map(({ request_id: id }) => id).sort()).toEqual(audited.expected.sort());
      for (const { api_path: path } of rows) expect(path).toBe(route.template);
    },
    30_000,
  );

  /** The outcome for a route without an id: it names no row that could be absent. */
  function withoutId(route: RouteEntry, caller: SweptCaller): Outcome {
    const outcome = outcomeOf(route, caller, 'own');
    return outcome === 'absent' ? 'reached' : outcome;
  }
});
