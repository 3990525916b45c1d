import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { execFile, execFileSync, spawn, spawnSync } from './child-process';

const PRINT = ['-e', 'process.stdout.write(JSON.stringify(process.env))'];
const node = process.execPath;
type Variables = Record<string, string>;

/** Each way to start a process, with and without options. */
const WAYS: Record<string, (options?: { env: Variables }) => Promise<string>> = {
  spawn: async (options = undefined) => {
    const child = spawn(node, PRINT, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
    const [printed] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
    return printed;
  },
  spawnSync: async (options) => String(spawnSync(node, PRINT, options).stdout),
  execFileSync: async (options) => String(execFileSync(node, PRINT, options)),
  'execFile with a callback': (options) =>
    new Promise((resolve, reject) =>
      execFile(node, PRINT, options ?? {}, (error, stdout) =>
        error ? reject(error) : resolve(String(stdout)),
      ),
    ),
  'execFile with a callback alone': () =>
    new Promise((resolve, reject) =>
      execFile(node, PRINT, (error, stdout) => (error ? reject(error) : resolve(String(stdout)))),
    ),
  'execFile as a promise': async (options) =>
    String((await promisify(execFile)(node, PRINT, options)).stdout),
};

describe.each(Object.entries(WAYS))('a process that a test starts by %s', (_way, start) => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('has the home, locale and time zone of the run, and none of the person’s variables', async () => {
    const person = { HOME: '/home/ann', TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8', GIT_DIR: '/x' };
    process.env = { ...before, ...person, HTTPS_PROXY: 'http://127.0.0.1:9' };
    const variables = JSON.parse(await start()) as Variables;
    expect(variables).toMatchObject({ HOME: before.PLAT_TEST_HOME, TZ: 'UTC', LC_ALL: 'C.UTF-8' });
    expect(Object.keys(variables).filter((name) => ['GIT_DIR', 'HTTPS_PROXY'].includes(name))).toEqual([]);
  });

  it('has a home of its own if no run was set up, as under the jest of an editor', async () => {
    process.env = { ...before, PLAT_TEST_HOME: '', HOME: '/home/ann' };
    const { HOME } = JSON.parse(await start()) as Variables;
    expect(HOME).toMatch(/plat-user-/);
    expect(HOME).not.toBe(before.PLAT_TEST_HOME);
  });
});

it.each(Object.entries(WAYS).filter(([way]) => !way.endsWith('alone')))(
  'the environment that is given to %s is the whole one',
  async (_way, start) => {
    const env = { PATH: process.env.PATH ?? '', OWN: 'x' };
    expect(JSON.parse(await start({ env }))).toEqual(env);
  },
);
