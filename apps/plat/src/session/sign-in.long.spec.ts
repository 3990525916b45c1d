import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Visitor } from '@plat/testing';
import { startIdentityProvider, type TestIdentityProvider } from '../black-box/identity-provider';
import { ended, Machine, said } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
import type { StoredSession } from './stored-session';

const AUDIENCE = 'https://api.example.com';

describe('plat cloud login', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));
  // Silences the provider's warnings that it is not set up for production.
  beforeAll(() =>
    ['info', 'warn'].forEach((level) => jest.spyOn(console, level as 'info').mockReturnValue()),
  );

  async function setUp(issuer: string | undefined = undefined) {
    const [machine, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
    disposals.push(
      () => machine.remove(),
      () => platform.close(),
    );
    const body = { issuer: issuer ?? platform.url, apiUrl: AUDIENCE, cliClientId: 'plat-cli' };
    platform.answer('GET /v1/platform', { body });
    await machine.plat(['cloud', 'init', 'work', '--api-url', platform.url]);
    const sessions = join(machine.configFolder, 'sessions');
    const readStored = async () => {
      const [file = ''] = await readdir(sessions);
      expect((await stat(join(sessions, file))).mode & 0o777).toBe(0o600);
      return JSON.parse(await readFile(join(sessions, file), 'utf8')) as StoredSession;
    };
    return { machine, platform, sessions, stored: readStored };
  }

  async function withProvider(provided: Promise<TestIdentityProvider> = startIdentityProvider(AUDIENCE)) {
    const provider = await provided;
    disposals.push(() => provider.close());
    const bundle = await setUp(provider.issuer);
    bundle.platform.acceptsEveryToken = true;
    bundle.platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: ['TenantUser'] } });
    return { ...bundle, issuer: provider.issuer };
  }

  /** Enters a name on the provider's sign-in page and consents. */
  async function signInAs(visitor: Visitor, page: Parameters<Visitor['submit']>[0], name: string) {
    const consent = await visitor.submit(page, { login: name, password: 'any' });
    return visitor.submit(consent);
  }

  describe('with the device flow', () => {
    it('slows down on request, and ends if the provider reports that the code has expired', async () => {
      const { machine, platform, sessions } = await setUp();
      const polls: number[] = [];
      deviceDouble(platform, { expires_in: 600, interval: 0.1 });
      platform.answer('POST /token', () => {
        polls.push(Date.now());
        const error = ['authorization_pending', 'slow_down', 'expired_token'][polls.length - 1];
        return { status: 400, body: { error } };
      });
      const run = await machine.plat(['cloud', 'login', '--json']);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        code: 'SIGN_IN_EXPIRED',
        details: { next: 'plat cloud login --alias work' },
      });
      expect(polls[2]! - polls[1]!).toBeGreaterThan(5000);
      await expect(readdir(sessions)).rejects.toThrow('ENOENT');
    });
  });

  describe('with the code flow', () => {
    /** Signs a person in with the code flow, and returns how the command ended. */
    async function signInByCode(name: string, machine: Machine, ...more: string[]) {
      const child = await machine.start(['cloud', 'login', '--flow', 'code', ...more]);
      const end = ended(child);
      const [, address] = await said(child, /Open (\S+)/);
      const visitor = new Visitor();
      const callback = await signInAs(visitor, await visitor.open(address!), name);
      await fetch(callback.url);
      return end;
    }

    const signInBob = (machine: Machine, ...more: string[]) => signInByCode('bob', machine, ...more);

    it('says so if another person signs in than before, since someone else may have completed the sign-in', async () => {
      const { machine, platform } = await withProvider();
      const said: string[] = [];
      for (const username of ['bob', 'bob', 'mallory']) {
        platform.answer('GET /v1/whoami', { body: { username, roles: [] } });
        said.push((await signInByCode(username, machine)).stderr);
      }
      const [first, again, other] = said;
      expect(`${first}${again}`).not.toContain('before');
      expect(other).toContain(
        'warning: before, bob was signed in to work. If you are not mallory, someone else has completed the sign-in.\nnext: plat cloud logout --alias work\n',
      );
    });

    it('signs in a person whose roles do not permit whoami, or without an answer, and says so', async () => {
      const { machine, platform } = await withProvider();
      platform.answer('GET /v1/whoami', { status: 403, body: { code: 'FORBIDDEN', message: 'No role.' } });
      const run = await signInBob(machine);
      expect(run).toMatchObject({ code: 0, stdout: 'Signed in to work as bob.\n' });
      expect(run.stderr).toContain('The platform did not say who you are there: No role.');
    });
  });
});

/** Makes the double a provider with a device endpoint. The test scripts its token endpoint. */
function deviceDouble(platform: PlatformDouble, timing: { expires_in: number; interval: number }): void {
  platform.answer('GET /.well-known/openid-configuration', {
    body: {
      issuer: platform.url,
      token_endpoint: `${platform.url}/token`,
      device_authorization_endpoint: `${platform.url}/device`,
    },
  });
  const grant = {
    device_code: 'device',
    user_code: 'ABCD-EFGH',
    verification_uri: `${platform.url}/activate`,
  };
  platform.answer('POST /device', { body: { ...grant, ...timing } });
}
