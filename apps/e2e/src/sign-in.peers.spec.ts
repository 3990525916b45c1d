/**
 * @peers chromium
 * @paths apps/platform apps/plat apps/console libs apps/e2e/src tools/build
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  execFile,
  spawn,
  type StandaloneProcess,
  startBrowser,
  startStandalone,
  type TestBrowser,
} from '@plat/testing';
import { type PlatRun, waitForExit } from './drive-stand';

// The service and the client are built first.
jest.setTimeout(300_000);

const workspaceRoot = join(__dirname, '../../..');

let standalone: StandaloneProcess;
let browser: TestBrowser;
let plat: string;
beforeAll(async () => {
  const build = promisify(execFile)(process.execPath, ['apps/plat/build.mjs', '--if-stale'], {
    cwd: workspaceRoot,
  });
  [standalone, browser] = await Promise.all([startStandalone(), startBrowser()]);
  plat = (await build).stdout.trim();
});
afterAll(() => Promise.all([browser.close(), standalone.stop()]));

const homes: string[] = [];
afterEach(() => Promise.all(homes.splice(0).map((home) => rm(home, { recursive: true }))));

/** A person's machine that knows the platform, and on which no one is signed in. */
async function machine() {
  const home = await mkdtemp(join(tmpdir(), 'plat-home-'));
  homes.push(home);
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [plat, ...args], {
      cwd: home,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = (...args: string[]): Promise<PlatRun> => waitForExit(start(...args));
  await run('cloud', 'init', 'local', '--api-url', standalone.apiUrl);
  return { start, run };
}

/** Waits for an address that matches on a client's stderr. The client goes on. */
function addressShown(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = pattern.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => reject(new Error(`plat ended without an address:\n${said}`)));
  });
}

async function expectSignedIn(run: (...args: string[]) => Promise<PlatRun>, username: string): Promise<void> {
  const status = await run('cloud', 'status', '--json');
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ alias: 'local', caller: { username } });
}

describe('a person signs in with a browser', () => {
  it('by the device grant: confirms the code, picks an account, and the terminal is signed in', async () => {
    const { start, run } = await machine();
    expect((await run('cloud', 'status')).code).toBe(1);
    const login = start('cloud', 'login', '--flow', 'device');
    const loggedIn = waitForExit(login);
    // The address carries the code, so no one has to type it.
    const page = await browser.open(await addressShown(login, /or open (\S+)/));
    await page.getByRole('button', { name: 'Yes, continue' }).click();
    await page.getByRole('button', { name: 'alice' }).click();
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect((await loggedIn).code).toBe(0);
    await expectSignedIn(run, 'alice');
  });

  it('by the device grant, typing the code that the terminal shows', async () => {
    const { start, run } = await machine();
    const login = start('cloud', 'login');
    const loggedIn = waitForExit(login);
    const [address, code] = (await addressShown(login, /Open (\S+ and enter the code \S+)/)).split(
      ' and enter the code ',
    ) as [string, string];
    const page = await browser.open(address);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Yes, continue' }).click();
    await page.getByRole('button', { name: 'bob' }).click();
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    expect((await loggedIn).code).toBe(0);
    await expectSignedIn(run, 'bob');
  });

  it('by authorization code with PKCE: the browser comes back to the terminal', async () => {
    const { start, run } = await machine();
    const login = start('cloud', 'login', '--flow', 'code');
    const loggedIn = waitForExit(login);
    const page = await browser.open(await addressShown(login, /Open (\S+)/));
    await page.getByRole('button', { name: 'mallory' }).click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    expect((await loggedIn).code).toBe(0);
    await expectSignedIn(run, 'mallory');
  });

  it('or cancels: the client exits with 1, and the terminal stays signed out', async () => {
    const { start, run } = await machine();
    const login = start('cloud', 'login', '--flow', 'code');
    const loggedIn = waitForExit(login);
    const page = await browser.open(await addressShown(login, /Open (\S+)/));
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await loggedIn).code).toBe(1);
    expect((await run('cloud', 'status')).code).toBe(1);
  });
});

describe('the API reference at /docs', () => {
  it('shows the routes of each service, and loads nothing that fails', async () => {
    const page = await browser.open('about:blank');
    const failures: string[] = [];
    page.on('requestfailed', (request) => failures.push(request.url()));
    page.on('pageerror', (error) => failures.push(error.message));
    await page.goto(`${standalone.apiUrl}/docs`);
    await page.getByText('/v1/reviews/merge-queue/advance').first().waitFor();
    await page.getByLabel('Select a definition').selectOption('platform');
    await page.getByText('/v1/environments').first().waitFor();
    expect(failures).toEqual([]);
  });
});
