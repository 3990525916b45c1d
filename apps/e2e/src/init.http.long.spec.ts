import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { approveDevice, execFile, spawn, type StandaloneProcess, startStandalone } from '@plat/testing';
import { waitForExit } from './drive-stand';

// The service and the client are built first.
jest.setTimeout(300_000);

const VIEW = '{"current-context":"kind","contexts":[{"name":"kind"}]}';
let standalone: StandaloneProcess;
let plat: string;
let home: string;
beforeAll(async () => {
  const build = promisify(execFile)(process.execPath, ['apps/plat/build.mjs', '--if-stale'], {
    cwd: join(__dirname, '../../..'),
  });
  standalone = await startStandalone();
  plat = (await build).stdout.trim();
  home = await mkdtemp(join(tmpdir(), 'plat-init-'));
  await writeFile(join(home, 'kubectl'), `#!/bin/sh\necho '${VIEW}'\n`, { mode: 0o755 });
});
afterAll(async () => {
  await standalone.stop();
  await rm(home, { recursive: true });
});

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [plat, ...args], {
    cwd: home,
    env: { PATH: `${home}:/usr/bin:/bin`, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

it('plat init without a person gets a session of its own from the issuer of npm start', async () => {
  await waitForExit(start('cloud', 'init', 'local', '--api-url', standalone.apiUrl));
  const login = start('cloud', 'login');
  const page = new Promise<string>((resolve) => {
    let said = '';
    login.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /or open (\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const signedIn = waitForExit(login);
  await approveDevice(await page, 'alice');
  expect(await signedIn).toMatchObject({ code: 0 });
  const run = await waitForExit(start('init', 'acme', 'dev', '--no-deploy', '--json'));
  expect(JSON.parse(run.stdout)).toMatchObject({ session: { provisioned: true, by: 'exchanged' } });
  const session = await readFile(join(home, '.config/plat/acme/dev/session.json'), 'utf8');
  expect(JSON.parse(session)).toMatchObject({ refreshToken: expect.any(String) });
});
