import { watch } from 'node:fs';
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { spawnSync } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { agentOverStdio } from '../black-box/mcp-agent';
import { Machine } from '../black-box/plat-process';
import { publish } from '../build/publish';
import { commandGate } from '../drive/command-gate';
import { gitIn } from '../git/git';
import type { Job } from '../jobs/job';
import { supervise } from '../runtime/supervision';
import { writeSession } from '../session/stored-session';

const SECRETS = {
  GH_TOKEN: 'forge-secret',
  GITLAB_TOKEN: 'forge-secret',
  LLM_API_KEY: 'model-secret',
  LLM_AUTH_TOKEN: 'model-secret',
  NPM_TOKEN: 'package-secret',
  AWS_SECRET_ACCESS_KEY: 'cloud-secret',
  // In parts, since the check for secrets refuses such an address.
  DATABASE_URL: ['postgres://app', 'database-secret@db.example.com/app'].join(':'),
  BW_SESSION: 'vault-secret',
};
const OTHERS = { PLAIN: 'plain', LANG: 'C' };
const VARIABLES = { ...SECRETS, ...OTHERS };
/** Prints those of the variables that are there. */
const PRINT = `printenv ${Object.keys(VARIABLES).join(' ')} | sort; true`;

const printed = (...names: Array<keyof typeof VARIABLES>) =>
  ['LANG' as const, 'PLAIN' as const, ...names]
    .map((name) => VARIABLES[name])
    .sort()
    .join('\n');

describe('a program that may run the code of a branch gets no secret that the person has not named:', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  });

  async function newMachine(): Promise<Machine> {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    return machine;
  }

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-untrusted-'));
    disposals.push(() => rm(folder, { recursive: true }));
    return folder;
  }

  const jobOutput = async (machine: Machine, { jobId }: Job) => {
    await appearance(join(machine.home, '.plat', 'jobs', `${jobId}.exit`));
    return (await machine.plat(['exec', 'job', 'output', jobId])).stdout.trim();
  };

  it.each([
    [[], printed()],
    [['--pass-env', 'NPM_TOKEN', '--pass-env=AWS_*'], printed('NPM_TOKEN', 'AWS_SECRET_ACCESS_KEY')],
  ])('a job, with %j', async (flags, expected) => {
    const machine = await newMachine();
    const start = ['exec', 'job', 'start', '--json', ...flags, '--', 'sh', '-c', PRINT];
    const job = (await machine.plat(start, { env: VARIABLES })).json<Job>();
    expect(await jobOutput(machine, job)).toBe(expected);
  });

  it.each([
    [[], printed()],
    [['--pass-env', 'NPM_TOKEN'], printed('NPM_TOKEN')],
  ])('a build script, with %j', async (flags, expected) => {
    const machine = await newMachine();
    const checkout = await GateCheckout.create(machine);
    const script = join(checkout.folder, 'build.sh');
    await writeFile(join(checkout.folder, 'VERSION'), '1.0.0\n');
    await writeFile(script, `#!/bin/sh\n(${PRINT}) > printed\n`);
    await chmod(script, 0o755);
    const build = ['build', '--no-push', '--no-report', '--json', ...flags];
    const run = await machine.plat(build, { cwd: checkout.folder, env: VARIABLES });
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    expect((await readFile(join(checkout.folder, 'printed'), 'utf8')).trim()).toBe(expected);
  });

  it("git of a gate has the person's settings, but none with a secret in it", async () => {
    const settings = {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic c2VjcmV0',
      GIT_CONFIG_KEY_1: 'plat.example',
      GIT_CONFIG_VALUE_1: 'kept',
    };
    jest.replaceProperty(process, 'env', { ...process.env, ...settings });
    let output = '';
    const end = await commandGate('git config --get-regexp "^(plat[.]|http[.]extra)"').run({
      git: gitIn(await newFolder()),
      targetCommit: '',
      checkOutTarget: () => Promise.reject(new Error('a command looks at the merge alone')),
      interrupted: new AbortController().signal,
      output: (chunk) => (output += chunk.toString('utf8')),
      beginning: () => Promise.resolve(),
    });
    expect([end.successful, output]).toEqual([true, 'plat.example kept\n']);
  });

  it.each([
    [[], printed()],
    [['GH_TOKEN'], printed('GH_TOKEN')],
  ])('the command of a gate, with %j', async (passed, expected) => {
    jest.replaceProperty(process, 'env', { ...process.env, ...VARIABLES });
    let output = '';
    await commandGate(PRINT, { passed }).run({
      git: gitIn(await newFolder()),
      targetCommit: '',
      checkOutTarget: () => Promise.reject(new Error('a command looks at the merge alone')),
      interrupted: new AbortController().signal,
      output: (chunk) => (output += chunk.toString('utf8')),
      beginning: () => Promise.resolve(),
    });
    expect(output.trim()).toBe(expected);
  });

  it.each([
    [[], printed()],
    [['LLM_API_KEY'], printed('LLM_API_KEY')],
  ])('a service of the runtime, with %j', async (passed, expected) => {
    jest.replaceProperty(process, 'env', { ...process.env, ...VARIABLES });
    const folder = await newFolder();
    const stop = new AbortController();
    const argv = ['/bin/sh', '-c', `(${PRINT}) > new; mv new printed; exec sleep 60`];
    const service = { name: 'It', argv, passed, folder: () => folder };
    const run = supervise([service], { interrupted: stop.signal, note: () => undefined });
    await appearance(join(folder, 'printed'));
    stop.abort();
    await run;
    expect((await readFile(join(folder, 'printed'), 'utf8')).trim()).toBe(expected);
  });

  it.each([
    [[], printed()],
    [['--pass-env', 'GH_TOKEN'], printed('GH_TOKEN')],
  ])(
    'a job of an agent, whose server was started with %j; the agent itself names none',
    async (args, expected) => {
      const machine = await newMachine();
      const { client, call } = await agentOverStdio(machine, { args, env: VARIABLES });
      disposals.push(() => client.close());
      const { tools } = await client.listTools();
      const inputs = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
      for (const flag of ['passEnv', 'signInScript']) expect(inputs).not.toContain(flag);
      const { value } = await call('exec_job_start', { command: ['sh', '-c', PRINT] });
      expect(await jobOutput(machine, value as Job)).toBe(expected);
    },
  );

  it('but the push of an image gets them: it runs no code of the branch, and may need the sign-in of a cloud', async () => {
    jest.replaceProperty(process, 'env', { ...process.env, ...VARIABLES });
    let output = '';
    const workbench = {
      folder: '/',
      interrupted: new AbortController().signal,
      output: (chunk: Buffer) => (output += chunk.toString('utf8')),
    };
    const command = { argv: ['/bin/sh', '-c', PRINT] };
    await publish(workbench, [command], { registry: 'r.example/team', isPlatforms: false });
    expect(output.trim()).toBe(printed(...(Object.keys(SECRETS) as Array<keyof typeof SECRETS>)));
  });

  it('a name that is none is refused', async () => {
    const machine = await newMachine();
    for (const wrong of ['GH_TOKEN=x', 'A B', '*', '']) {
      const run = await machine.plat(['build', '--json', `--pass-env=${wrong}`]);
      expect({ wrong, ...run.json() }).toMatchObject({ wrong, code: 'INVALID_VARIABLE_NAME' });
    }
  });

  const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;
  // Only root may start a program as another user.
  (isRoot ? it : it.skip)('the session is not readable for a gate that runs as another user', async () => {
    const machine = await newMachine();
    const session = join(machine.configFolder, 'sessions', 'one.json');
    await writeSession(session, { accessToken: 'a', expiresAt: new Date(0).toISOString() });
    let output = '';
    const read = `cat ${session}`;
    const gate = { plain: read, apart: `setpriv --reuid=65534 --regid=65534 --clear-groups ${read}` };
    const outcome = (command: string) =>
      commandGate(command).run({
        git: gitIn('/'),
        targetCommit: '',
        checkOutTarget: () => Promise.reject(new Error('a command looks at the merge alone')),
        interrupted: new AbortController().signal,
        output: (chunk) => (output += chunk.toString('utf8')),
        beginning: () => Promise.resolve(),
      });
    expect(await outcome(gate.plain)).toMatchObject({ successful: true });
    output = '';
    expect(await outcome(gate.apart)).toMatchObject({ successful: false });
    expect(output).toContain('Permission denied');
  });
});

/** Waits until the file is there. */
async function appearance(path: string): Promise<void> {
  const watcher = watch(dirname(path));
  try {
    const seen = new Promise<void>((resolve) => {
      watcher.on('change', (_event, name) => {
        if (name === basename(path)) resolve();
      });
    });
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (!isThere) await seen;
  } finally {
    watcher.close();
  }
}
