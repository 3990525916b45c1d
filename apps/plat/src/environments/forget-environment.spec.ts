import { existsSync, promises as fs } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { forgetEnvironment } from './forget-environment';

const NAME = { tenant: 'acme', environment: 'dev' };

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'plat-forget-'))));
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(home, { recursive: true });
});

const file = (path: string) => join(home, path);

async function configureHome() {
  const files: Readonly<Record<string, string>> = {
    'cfg/config.yaml': 'defaultTenant: acme\n',
    'cfg/acme/config.yaml': 'defaultEnvironment: dev\n',
    'cfg/acme/dev/config.yaml': 'type: runtime\n',
    'cfg/acme/dev/config.yaml.2026-11-23.bak': 'type: runtime\n',
    'cfg/acme/dev/session.json': '{}',
    'cfg/acme/dev/later/file': '',
    'cfg/portforward/mcp/acme/dev.json': '{}',
    'state/acme/dev/leases/x': '',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(file(path)), { recursive: true });
    await writeFile(file(path), text);
  }
  return { configFolder: file('cfg'), stateFolder: file('state') };
}

/** Ends the run in its nth removal of a file or folder of acme. Of a folder one file is gone then, the worst one. */
function killedIn(nth: number): void {
  const real = fs.rm;
  let calls = 0;
  jest.spyOn(fs, 'rm').mockImplementation(async (path, options) => {
    if (String(path).includes('/acme/')) calls += 1;
    if (calls !== nth) return real(path, options);
    const whole = await stat(path as string).catch(() => undefined);
    if (whole?.isDirectory()) await real(join(path as string, 'config.yaml'), { force: true });
    throw new Error('killed');
  });
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a run that is killed in its removal %i is completed by the same command',
  async (nth) => {
    const folders = await configureHome();
    killedIn(nth);
    await expect(forgetEnvironment(folders, NAME)).rejects.toThrow('killed');
    jest.restoreAllMocks();
    expect(existsSync(file('cfg/acme/dev/config.yaml'))).toBe(true);
    await forgetEnvironment(folders, NAME);
    expect(await readdir(file('cfg'), { recursive: true })).toEqual([
      'config.yaml',
      expect.stringMatching(/^config\.yaml\..*\.bak$/),
      'portforward',
      'portforward/mcp',
    ]);
    expect(await readdir(file('state'))).toEqual([]);
  },
);

it('removes the session before any other file of the environment', async () => {
  const folders = await configureHome();
  const removals = jest.spyOn(fs, 'rm');
  await forgetEnvironment(folders, NAME);
  const own = removals.mock.calls.map(([path]) => String(path)).filter((path) => path.includes('/acme/dev'));
  expect(own[0]).toBe(file('cfg/acme/dev/session.json'));
  expect(own.slice(-2)).toEqual([file('cfg/acme/dev/config.yaml'), file('cfg/acme/dev')]);
});
