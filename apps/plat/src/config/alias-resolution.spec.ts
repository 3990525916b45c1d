import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Machine } from '../black-box/plat-process';
import { COMMANDS } from '../start/commands';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
/** No answer ever comes from here, and a call would fail with another exit code. */
const NOWHERE = {
  apiUrl: 'http://127.0.0.1:1',
  audience: 'http://127.0.0.1:1',
  issuer: 'http://127.0.0.1:1',
  clientId: 'c',
};
const complete = (name: string) => ({ name, kind: 'platform', ...NOWHERE });

/** A command line that is right in everything but the alias, for each command that works with a platform. */
const NEEDS_ALIAS: Record<string, string[]> = {
  'cloud:login': [],
  'cloud:logout': [],
  'cloud:status': [],
  'review:list': [],
  'review:show': [ID],
  'review:create': ['--name=N', '--source-branch=s', '--target-branch=main', '--repository=https://h/o/r'],
  'review:close': [ID],
  'review:requeue': [ID],
  'review:record-build': [ID, '--version=1.0.0', `--commit-id=${'a'.repeat(40)}`],
  'review:report-merged': [ID, '--remote-url=https://h/o/r'],
  'review:queue:list': ['--repository=https://h/o/r'],
  'review:queue:advance': ['--target-branch=main', '--repository=https://h/o/r'],
  'review:queue:override-advance': ['--target-branch=main', '--repository=https://h/o/r', '--reason=r'],
  'review:wait': [ID],
  'review:comment': [ID, '--body=b', '--file=f', '--line=1', `--commit-id=${'a'.repeat(40)}`],
  'review:comments': [ID],
  'review:resolve': [ID, ID],
  'review:reviewers:list': [ID],
  'review:reviewers:add': [ID, ID],
  'review:reviewers:remove': [ID, ID],
  'gate:list': [],
  'gate:show': [ID],
  'exec:gate-run:start': [
    '--source-branch=s',
    '--target-branch=main',
    `--source-commit=${'a'.repeat(40)}`,
    `--merge-commit=${'b'.repeat(40)}`,
  ],
  'exec:gate-run:report': [ID, '--verdict=PASSED'],
  'exec:reconcile-bypass': ['--expected-actor=q', '--repository=https://h/o/r'],
  'cloud:users': [],
  drive: ['--target=main', '--gate-command=true'],
  api: ['GET', '/v1/whoami'],
};
const NEEDS_NONE = [
  'activity:lease:list',
  'activity:lease:release',
  'activity:lease:renew',
  'activity:lease:take',
  'cloud:init',
  'completion',
  'config:get',
  'config:path',
  'config:set',
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
  // Its tools resolve an alias when they are called.
  'mcp',
  'version',
];

describe('a command that needs a platform alias', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.create();
  });
  afterAll(() => machine.remove());

  async function configured(cloudAliases: unknown): Promise<void> {
    await mkdir(machine.configFolder, { recursive: true });
    await writeFile(join(machine.configFolder, 'config.yaml'), stringify({ cloudAliases }));
  }

  it('is every command but those that work on this machine alone', () => {
    expect([...Object.keys(NEEDS_ALIAS), ...NEEDS_NONE].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it.each(Object.entries(NEEDS_ALIAS))('%s aborts with exit code 127 when none exists', async (id, args) => {
    await configured([]);
    const run = await machine.plat([...id.split(':'), ...args, '--json']);
    expect(run.code).toBe(127);
    expect(run.json()).toMatchObject({ code: 'NO_PLATFORM_ALIAS', exitCode: 127 });
  });

  it.each([
    ['several, none of them named', [complete('a'), complete('b')], [], 'PLATFORM_ALIAS_AMBIGUOUS'],
    ['an unknown name', [complete('a')], ['--alias=b'], 'UNKNOWN_ALIAS'],
    ['an alias of another kind', [{ name: 'a', kind: 'cloud-a' }], ['--alias=a'], 'NOT_A_PLATFORM_ALIAS'],
    ['only aliases of another kind', [{ name: 'a', kind: 'cloud-a' }], [], 'NO_PLATFORM_ALIAS'],
    ['an incomplete alias', [{ name: 'a', kind: 'platform', apiUrl: 'x' }], [], 'INCOMPLETE_ALIAS'],
    ['a list that is none', 'work', [], 'CONFIG_UNREADABLE'],
  ])('exits with 127 for %s, also under --dry-run', async (_what, aliases, args, code) => {
    await configured(aliases);
    const line = ['review', 'close', ID, '--json', ...args];
    for (const more of [[], ['--dry-run']]) {
      const run = await machine.plat([...line, ...more]);
      expect(run.code).toBe(127);
      expect(run.json()).toMatchObject({ code, exitCode: 127 });
    }
  });

  it('exits with 127 and names the file when the configuration is not YAML', async () => {
    await configured([]);
    await writeFile(join(machine.configFolder, 'config.yaml'), 'cloudAliases: [');
    const run = await machine.plat(['review', 'list']);
    expect(run.code).toBe(127);
    expect(run.stderr).toContain(join(machine.configFolder, 'config.yaml'));
    expect(run.stdout).toBe('');
  });

  it('takes the only platform alias beside aliases of other kinds, and the named one of several', async () => {
    await configured([{ name: 'vendor', kind: 'cloud-a' }, complete('work')]);
    const only = await machine.plat(['review', 'close', ID, '--dry-run']);
    expect(only).toMatchObject({
      code: 0,
      stdout: `platform: PATCH http://127.0.0.1:1/v1/reviews/${ID}/status\n`,
    });
    await configured([complete('home'), complete('work')]);
    expect(await machine.plat(['review', 'close', ID, '--dry-run', '--alias=work'])).toMatchObject({
      code: 0,
    });
  });

  it('exits with 1, not 127, when nobody is signed in', async () => {
    await configured([complete('work')]);
    const run = await machine.plat(['review', 'list', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'SIGNED_OUT',
      details: { next: 'plat cloud login --alias work' },
      exitCode: 1,
    });
  });
});
