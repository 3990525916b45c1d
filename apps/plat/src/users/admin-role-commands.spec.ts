import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { signedInMachine } from '../black-box/signed-in';
import { permittedRoutes, roleRouteTable } from './role-view';

const PROMOTER = { roleId: '0198f2a4-4444-7c3e-9d0b-5b1f0c9a2e11', name: 'Promoter' };
const PERMISSIONS = [
  { apiMethod: 'POST', apiPath: '/v1/reviews/merge-queue/advance' },
  { apiMethodPattern: 'GET', apiPathPattern: '/v1/reviews/(merge-queue|{review_id})' },
];

describe('plat admin role show', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const { platform, machine } = bundle;
    platform.answer('GET /v1/roles', { body: [PROMOTER] });
    platform.answer(`GET /v1/roles/${PROMOTER.roleId}`, { body: { ...PROMOTER, permissions: PERMISSIONS } });
    return (...args: string[]) => machine.plat(['admin', 'role', 'show', ...args]);
  }

  it('lists the routes that the role permits, with the commands that call them', async () => {
    const plat = await setUp();
    const expected = [
      'GET /v1/reviews/merge-queue\tplat review queue list',
      'POST /v1/reviews/merge-queue/advance\tplat review queue advance, plat drive',
      'GET /v1/reviews/{review_id}\tplat review show',
    ];
    for (const role of ['Promoter', PROMOTER.roleId]) {
      expect(await plat(role)).toMatchObject({ code: 0, stdout: expected.join('\n') + '\n' });
    }
  });

  it('has the rules in its JSON', async () => {
    const plat = await setUp();
    const run = await plat('Promoter', '--json');
    expect(run.json()).toMatchObject({ ...PROMOTER, permissions: PERMISSIONS });
  });

  it('ends with 1 and the names that there are for an unknown role', async () => {
    const plat = await setUp();
    const run = await plat('Promotor', '--json');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code: 'NO_SUCH_ROLE', details: { next: 'name one of Promoter' } });
  });

  it('says so if the role permits nothing', () => {
    const table = roleRouteTable({ ...PROMOTER, permissions: [], routes: permittedRoutes([]) });
    expect(table).toMatchObject({ rows: [], whenEmpty: 'The role permits no route.' });
  });

  it('lists what docs/roles.md says about a stock role', () => {
    const page = readFileSync(join(workspaceRoot(), 'docs', 'roles.md'), 'utf8');
    const documented = page
      .split('\n')
      .filter((line) => /^\| `[A-Z]+ \/v1/.test(line) && line.includes('ReadAll'))
      .map((line) => line.split('`')[1]);
    const listed = permittedRoutes([{ apiMethodPattern: 'GET', apiPathPattern: '/v1/.*' }]);
    expect(listed.map(({ route }) => route)).toEqual(documented);
  });
});
