import { signedInMachine } from '../black-box/signed-in';
import { moment } from './trail-selection';

const ALICE = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const EVENT = '0198f2a4-3333-7c3e-9d0b-5b1f0c9a2e11';
const ROUTE = 'GET /v1/audit-events';
const event = (fields: object = {}) => ({
  auditEventId: EVENT,
  tenantId: ALICE,
  erunUserId: ALICE,
  externalUserId: 'sub',
  externalIssuerId: 'https://issuer.example',
  type: 'API',
  apiMethod: 'POST',
  apiPath: '/v1/reviews',
  createdAt: '2026-01-02T03:04:05.000006Z',
  ...fields,
});

describe('plat audit list', () => {
  const disposals: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(body: object = { events: [event()] }) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    bundle.platform.answer(ROUTE, { body });
    const asked = () =>
      Object.fromEntries(new URL(bundle.platform.to(ROUTE).at(-1)!.url, 'http://x').searchParams);
    return { ...bundle, asked };
  }

  it('shows who asked for what, when and by what', async () => {
    const events = [event(), event({ type: 'MCP', mcpTool: 'review_requeue', apiMethod: 'PATCH' })];
    const { machine } = await setUp({ events });
    const { code, stdout } = await machine.plat(['audit', 'list']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(1, 4))).toEqual([
      [ALICE, 'API', 'POST /v1/reviews'],
      [ALICE, 'MCP review_requeue', 'PATCH /v1/reviews'],
      [],
    ]);
    expect((await machine.plat(['audit', 'list', '--json'])).json()).toEqual({ events });
  });

  it('passes each filter on, --mine as the caller, and a method in capitals', async () => {
    const { machine, platform, asked } = await setUp();
    platform.answer('GET /v1/whoami', {
      body: { tenantId: ALICE, userId: ALICE, username: 'alice', roles: [] },
    });
    const path = '/v1/reviews/{review_id}';
    const range = ['--since', '2026-01-02T03:04:05+01:00', '--until', '2026-01-03T00:00:00Z'];
    const filters = ['--type', 'API', '--method', 'get', '--path', path, '--limit', '7', '--cursor', 'c'];
    expect((await machine.plat(['audit', 'list', '--mine', ...range, ...filters])).code).toBe(0);
    expect(asked()).toEqual({
      since: '2026-01-02T02:04:05Z',
      until: '2026-01-03T00:00:00Z',
      erunUserId: ALICE,
      type: 'API',
      apiMethod: 'GET',
      apiPath: path,
      limit: '7',
      cursor: 'c',
    });
  });

  it('takes the largest page, and a moment as a range', async () => {
    const { machine, asked } = await setUp();
    const moment = '2026-01-02T03:04:05Z';
    const flags = ['--limit', '200', '--since', moment, '--until', moment];
    expect((await machine.plat(['audit', 'list', ...flags])).code).toBe(0);
    expect(asked()).toEqual({ limit: '200', since: moment, until: moment });
  });

  it('names the way to the next page, and says that nothing matches', async () => {
    const { machine, platform } = await setUp({ events: [event()], nextCursor: 'next' });
    expect((await machine.plat(['audit', 'list'])).stderr).toContain('--cursor next');
    platform.answer(ROUTE, { body: { events: [] } });
    expect((await machine.plat(['audit', 'list'])).stderr).toContain('No request matches.');
  });

  it.each([
    [['--since', 'yesterday'], 'INVALID_TIME'],
    [['--until', '-1h'], 'INVALID_TIME'],
    [['--since', '1h', '--until', '2h'], 'INVALID_TIME'],
    [['--since', '2026-01-03T00:00:00Z', '--until', '2026-01-02T00:00:00Z'], 'INVALID_TIME'],
    [['--limit', '201'], 'INVALID_NUMBER'],
    [['--user', 'nobody'], 'USER_NOT_IN_TENANT'],
  ])('refuses %j as %s without a call', async (flags, code) => {
    const { machine, platform } = await setUp();
    const run = await machine.plat(['audit', 'list', ...flags, '--json']);
    expect(run.json()).toMatchObject({ code, exitCode: 1 });
    expect(platform.to(ROUTE)).toEqual([]);
  });
});

describe('a moment of the trail', () => {
  const now = new Date('2026-01-02T12:00:00Z');
  it.each([
    ['1h30m', '2026-01-02T10:30:00.000Z'],
    ['7d', '2025-12-26T12:00:00.000Z'],
    ['0s', '2026-01-02T12:00:00.000Z'],
    ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.5Z'],
    [undefined, undefined],
  ])('%s is %s', (text, expected) => {
    expect(moment(text, '--since', now)).toBe(expected);
  });
});
