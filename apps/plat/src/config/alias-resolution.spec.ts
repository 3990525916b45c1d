import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
import { COMMANDS } from '../start/commands';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
/** A complete alias of a platform. */
function complete(name: string, url: string) {
  return { name, kind: 'platform', apiUrl: url, audience: url, issuer: url, clientId: 'c' };
}
const OTHER_KIND = { name: 'a', kind: 'cloud-a' };

/** Each failure to resolve an alias: the configuration, the command's arguments, and the code. */
const FAILURES: Array<[string, (url: string) => unknown[], string[], string]> = [
  ['without an alias', () => [], [], 'NO_PLATFORM_ALIAS'],
  [
    'with several, none of them named',
    (url) => [complete('a', url), complete('b', url)],
    [],
    'PLATFORM_ALIAS_AMBIGUOUS',
  ],
  ['with an unknown name', (url) => [complete('a', url)], ['--alias=b'], 'UNKNOWN_ALIAS'],
  ['with an alias of another kind', () => [OTHER_KIND], ['--alias=a'], 'NOT_A_PLATFORM_ALIAS'],
  ['with only aliases of another kind', () => [OTHER_KIND], [], 'NO_PLATFORM_ALIAS'],
  [
    'with an incomplete alias',
    (url) => [{ name: 'a', kind: 'platform', apiUrl: url }],
    [],
    'INCOMPLETE_ALIAS',
  ],
  [
    'with an alias whose apiUrl is no address',
    (url) => [{ ...complete('a', url), apiUrl: 'api.example.com' }],
    [],
    'INVALID_ALIAS',
  ],
  [
    'with an alias whose issuer would get the sign-in in plain text',
    (url) => [{ ...complete('a', url), issuer: 'http://id.example.com' }],
    [],
    'INVALID_ALIAS',
  ],
];

/** A valid command line, except for the alias, for each command that works with a platform. */
const NEEDS_ALIAS: Record<string, string[]> = {
  'cloud:login': [],
  'cloud:logout': [],
  'cloud:status': [],
  'review:list': [],
  'review:attest': [ID],
  'review:show': [ID],
  'review:undoes': [ID],
  'review:verify': [ID],
  'review:create': ['--name=N', '--source-branch=s', '--target-branch=main', '--repository=https://h/o/r'],
  'review:builds': [ID],
  'review:close': [ID],
  'review:requeue': [ID],
  'review:record-build': [ID, '--version=1.0.0', `--commit-id=${'a'.repeat(40)}`],
  'review:report-merged': [ID, '--remote-url=https://h/o/r'],
  'review:queue:list': ['--repository=https://h/o/r'],
  'review:queue:advance': ['--target-branch=main', '--repository=https://h/o/r'],
  'review:queue:override-advance': ['--target-branch=main', '--repository=https://h/o/r', '--reason=r'],
  'review:queue:show': ['--target-branch=main', '--repository=https://h/o/r'],
  'review:queue:stats': ['--target-branch=main', '--repository=https://h/o/r'],
  'review:open': [ID],
  'review:wait': [ID],
  'review:why': [ID],
  'review:comment': [ID, '--body=b', '--file=f', '--line=1', `--commit-id=${'a'.repeat(40)}`],
  'review:comments': [ID],
  'review:resolve': [ID, ID],
  'review:reviewers:list': [ID],
  'review:reviewers:add': [ID, ID],
  'review:reviewers:remove': [ID, ID],
  'gate:list': [],
  'gate:show': [ID],
  'ledger:check': [],
  'exec:gate-run:start': [
    '--source-branch=s',
    '--target-branch=main',
    `--source-commit=${'a'.repeat(40)}`,
    `--merge-commit=${'b'.repeat(40)}`,
  ],
  'exec:gate-run:report': [ID, '--verdict=PASSED'],
  'exec:reconcile-bypass': ['--expected-actor=q', '--repository=https://h/o/r'],
  'cloud:users': [],
  'admin:role:show': ['TenantUser'],
  'admin:user:list': [],
  'admin:user:add': ['alice', '--subject=s'],
  'admin:user:disable': ['alice'],
  'admin:user:enable': ['alice'],
  'admin:user:roles': ['alice'],
  'admin:user:subject': ['alice', '--subject=s'],
  console: [],
  status: [ID],
  submit: ['--target-branch=main'],
  drive: ['--target=main', '--gate-command=true'],
  api: ['GET', '/v1/whoami'],
  'audit:export': ['trail'],
  'audit:list': [],
};
const HAVE_NO_DRY_RUN = [
  'admin:role:show',
  'admin:user:list',
  'api',
  'audit:export',
  'audit:list',
  'cloud:login',
  'cloud:logout',
  'cloud:status',
  'cloud:users',
  'console',
  'exec:reconcile-bypass',
  'gate:list',
  'gate:show',
  'ledger:check',
  'review:attest',
  'review:builds',
  'review:comments',
  'review:list',
  'review:open',
  'review:queue:list',
  'review:queue:show',
  'review:queue:stats',
  'review:reviewers:list',
  'review:show',
  'review:undoes',
  'review:verify',
  'review:wait',
  'review:why',
  'status',
];
const NEEDS_NONE = [
  'activity:lease:list',
  'activity:lease:release',
  'activity:lease:renew',
  'activity:lease:take',
  'audit:verify',
  'build',
  'cloud:init',
  'cloud:remove',
  'cloud:use',
  'completion',
  'config:check',
  'config:get',
  'config:path',
  'config:set',
  'config:unset',
  'delete',
  'deploy',
  'doctor',
  'exec:close-pr',
  'exec:gate-merge',
  'exec:job:cancel',
  'exec:job:list',
  'exec:job:output',
  'exec:job:start',
  'exec:plan-ruleset-bypass',
  'exec:push',
  'exec:report-commit-status',
  'forwards:list',
  'forwards:stop',
  'idle',
  'idle:watch',
  'init',
  'list',
  'open',
  'runtime:boot',
  'stop',
  // Without an alias they write the record themselves.
  'expose',
  'unexpose',
  // Its tools resolve an alias when they are called.
  'mcp',
  'version',
];

/** The commands to test with a failure: every command with the first one, and with one of the others in turn. */
function commandsFor(failure: number): Array<[string, string[]]> {
  const inTurn = (at: number) => failure === (at % (FAILURES.length - 1)) + 1;
  return Object.entries(NEEDS_ALIAS).filter((_, at) => failure === 0 || inTurn(at));
}

describe('a command that needs a platform alias', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.create();
  });
  afterAll(() => machine.remove());

  const configured = (cloudAliases: unknown) => configure(machine, cloudAliases);

  it('is every command except those that work on this machine alone', () => {
    expect([...Object.keys(NEEDS_ALIAS), ...NEEDS_NONE].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('takes the alias that plat cloud use chose if none is named, until it is removed', async () => {
    const [home, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
    await configure(home, [complete('a', platform.url), complete('b', platform.url)]);
    const readChosen = async () =>
      (await home.plat(['cloud', 'login', '--json'])).json<{ code: string }>().code;
    expect(await readChosen()).toBe('PLATFORM_ALIAS_AMBIGUOUS');
    expect((await home.plat(['cloud', 'use', 'c', '--json'])).json()).toMatchObject({
      code: 'UNKNOWN_ALIAS',
    });
    expect((await home.plat(['cloud', 'use', 'b', '--dry-run'])).stdout).toBe('default alias: b\n');
    expect((await home.plat(['cloud', 'use', 'b'])).code).toBe(0);
    expect(await readChosen()).not.toBe('PLATFORM_ALIAS_AMBIGUOUS');
    const listed = await home.plat(['cloud', 'status', '--all', '--json']);
    expect(listed.json()).toMatchObject([
      { alias: 'a', isDefault: false },
      { alias: 'b', isDefault: true },
    ]);
    expect((await home.plat(['cloud', 'remove', 'b', '--json'])).json()).toMatchObject({
      alias: 'b',
      removed: true,
    });
    expect((await home.plat(['cloud', 'remove', 'b', '--json'])).json()).toMatchObject({
      code: 'UNKNOWN_ALIAS',
    });
    const left = await home.plat(['cloud', 'status', '--all', '--json']);
    expect(left.json()).toMatchObject([{ alias: 'a', isDefault: true }]);
    await Promise.all([home.remove(), platform.close()]);
  });

  describe.each(FAILURES.map((failure, at) => [...failure, at] as const))('%s', (...failure) => {
    const [, aliases, args, code, at] = failure;
    let machine: Machine;
    let platform: PlatformDouble;
    beforeAll(async () => {
      [machine, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
      await configure(machine, aliases(platform.url));
    });
    afterAll(() => Promise.all([machine.remove(), platform.close()]));

    it.each(commandsFor(at))(
      '%s aborts before any network call with exit code 127, also under --dry-run',
      async (id, own) => {
        const line = [...id.split(':'), ...own, ...args, '--json'];
        const lines = HAVE_NO_DRY_RUN.includes(id) ? [line] : [line, [...line, '--dry-run']];
        for (const run of await Promise.all(lines.map((each) => machine.plat(each)))) {
          expect(run.code).toBe(127);
          expect(run.json()).toMatchObject({ code, exitCode: 127 });
        }
        expect(platform.requests).toEqual([]);
      },
    );
  });

  it.each(Object.entries(NEEDS_ALIAS).filter(([id]) => id !== 'cloud:logout'))(
    '%s exits with 1, not 127, if no user is signed in',
    async (id, args) => {
      await configured([complete('work', 'http://127.0.0.1:1')]);
      const run = await machine.plat([...id.split(':'), ...args, '--json']);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({ exitCode: 1 });
    },
  );

  it('exits with 127 if cloudAliases is not a list', async () => {
    await configured('work');
    const run = await machine.plat(['review', 'close', ID, '--dry-run', '--json']);
    expect(run.code).toBe(127);
    expect(run.json()).toMatchObject({ code: 'CONFIG_UNREADABLE', exitCode: 127 });
  });

  it('exits with 127 and names the file if the configuration is not YAML', async () => {
    await configured([]);
    await writeFile(join(machine.configFolder, 'config.yaml'), 'cloudAliases: [');
    const run = await machine.plat(['review', 'list']);
    expect(run.code).toBe(127);
    expect(run.stderr).toContain(join(machine.configFolder, 'config.yaml'));
    expect(run.stderr).toMatch(/^error CONFIG_UNREADABLE: Cannot read .*\w\.\n/);
    expect(run.stdout).toBe('');
  });

  it('takes the only platform alias next to aliases of other kinds, and the named one of several', async () => {
    await configured([OTHER_KIND, complete('work', 'http://127.0.0.1:1')]);
    const only = await machine.plat(['review', 'close', ID, '--dry-run']);
    expect(only).toMatchObject({
      code: 0,
      stdout: `platform: PATCH http://127.0.0.1:1/v1/reviews/${ID}/status\n`,
    });
    await configured(['home', 'work'].map((name) => complete(name, 'http://127.0.0.1:1')));
    // --erun-alias and --alias are one flag. Rule H2
    for (const flag of ['--alias=work', '--erun-alias=work']) {
      const named = await machine.plat(['review', 'close', ID, '--dry-run', flag]);
      expect(named).toMatchObject({ code: 0 });
    }
  });

  it('exits with 1, not 127, if no user is signed in', async () => {
    await configured([complete('work', 'http://127.0.0.1:1')]);
    const run = await machine.plat(['review', 'list', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'SIGNED_OUT',
      details: { next: 'plat cloud login --alias work' },
      exitCode: 1,
    });
  });
});

async function configure({ configFolder }: Machine, cloudAliases: unknown): Promise<void> {
  await mkdir(configFolder, { recursive: true });
  await writeFile(join(configFolder, 'config.yaml'), stringify({ cloudAliases }));
}
