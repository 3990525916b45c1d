import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Machine, type PlatOptions, type PlatRun } from './plat-process';
import { signedInMachine } from './signed-in';

const plain = ({ code, stdout, stderr }: PlatRun) => ({ code, stdout, stderr });

describe('a command line in a process that runs many', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
    platform.answer('GET /v1/reviews', { status: 403, body: { code: 'FORBIDDEN', message: 'Not yours.' } });
    return machine;
  }

  it.each<[string, string[], PlatOptions?]>([
    ['a result', ['api', 'GET', '/v1/whoami', '--json']],
    ['text', ['list']],
    ['help', ['review', 'create', '--help']],
    ['a refusal of the platform', ['review', 'list']],
    ['a command that does not exist', ['reveiw', 'list']],
    ['a wrong flag', ['review', 'list', '--colour']],
    ['a failure of the set-up', ['review', 'list'], { env: { PLAT_CLOUD_ALIAS: 'none' } }],
    ['no input', ['api', 'POST', '/v1/x', '--body', '-'], { input: '' }],
    ['input', ['api', 'POST', '/v1/x', '--body', '-', '--dry-run'], { input: '{"a":1}' }],
  ])('gives what a process of its own gives: %s', async (_what, args, options = {}) => {
    const machine = await setUp();
    const own = plain(await machine.plat(args, { ...options, ownProcess: true }));
    for (let round = 0; round < 2; round += 1) expect(plain(await machine.plat(args, options))).toEqual(own);
  });

  it('gets nothing of an earlier one: neither variables nor folder nor exit code', async () => {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    const traced = await machine.plat(['nonsense'], { env: { PLAT_REPO_PATH: '/nowhere' }, cwd: '/' });
    expect(traced.code).not.toBe(0);
    await writeFile(join(machine.home, 'here'), '');
    const run = await machine.plat(['list', '--json']);
    expect(run.code).toBe(0);
    expect(run.stdout).not.toContain('/nowhere');
  });

  it('ends by the signal that ends its process, and the next one runs in a new process', async () => {
    const machine = await setUp();
    const kill = join(machine.home, 'git');
    await writeFile(kill, '#!/bin/sh\nkill -9 $PPID\n', { mode: 0o755 });
    const killed = await machine.plat(['review', 'queue', 'list'], {
      env: { PATH: `${machine.home}:/usr/bin:/bin` },
    });
    expect(killed.code).toBeNull();
    expect((await machine.plat(['api', 'GET', '/v1/whoami'])).code).toBe(0);
  });
});
