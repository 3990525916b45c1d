import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
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
    it('prints address and code, and signs in after a person has entered the code', async () => {
      const { machine, stored } = await withProvider();
      const child = await machine.start(['cloud', 'login', '--json']);
      const end = ended(child);
      const [, address, code] = await said(child, /Open (\S+) and enter the code (\S+)/);
      const visitor = new Visitor();
      const confirmation = await visitor.submit(await visitor.open(address!), { user_code: code! });
      await signInAs(visitor, await visitor.submit(confirmation), 'alice');
      const run = await end;
      expect(run.json()).toMatchObject({ alias: 'work', subject: 'alice', username: 'alice' });
      const session = await stored();
      expect(decodeJwt(session.accessToken)).toMatchObject({
        sub: 'alice',
        aud: AUDIENCE,
        client_id: 'plat-cli',
      });
      expect(session.refreshToken).toEqual(expect.any(String));
      expect(run.stdout + run.stderr).not.toContain(session.accessToken);
      expect(run.stdout + run.stderr).not.toContain(session.refreshToken);
    });

    it("does not take text from a pipe as the person's answer", async () => {
      const { machine, platform, sessions } = await setUp();
      deviceDouble(platform, { expires_in: 1, interval: 0.1 });
      platform.answer('POST /token', { status: 400, body: { error: 'authorization_pending' } });
      const run = await machine.plat(['cloud', 'login'], { input: 'y\nyes\nABCD-EFGH\nalice\n' });
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('No one completed the sign-in in time.');
      expect(platform.to('POST /device')).toHaveLength(1);
      await expect(readdir(sessions)).rejects.toThrow('ENOENT');
    });

    it("ends when the code has expired by the client's clock", async () => {
      const { machine, platform } = await setUp();
      deviceDouble(platform, { expires_in: 1, interval: 0.1 });
      platform.answer('POST /token', { status: 400, body: { error: 'authorization_pending' } });
      expect((await machine.plat(['cloud', 'login', '--json'])).json()).toMatchObject({
        code: 'SIGN_IN_EXPIRED',
      });
    });

    it("reports any other refusal in the provider's words", async () => {
      const { machine, platform } = await setUp();
      deviceDouble(platform, { expires_in: 600, interval: 0.1 });
      const body = { error: 'invalid_client', error_description: 'This client is unknown.' };
      platform.answer('POST /token', { status: 400, body });
      expect((await machine.plat(['cloud', 'login', '--json'])).json()).toMatchObject({
        code: 'SIGN_IN_FAILED',
        message: 'The identity provider refused (invalid_client: This client is unknown.).',
        details: { error: 'invalid_client', next: 'plat cloud login --alias work' },
      });
    });

    it('ends if the person refuses', async () => {
      const { machine, platform } = await setUp();
      deviceDouble(platform, { expires_in: 600, interval: 0.1 });
      platform.answer('POST /token', { status: 400, body: { error: 'access_denied' } });
      expect((await machine.plat(['cloud', 'login', '--json'])).json()).toMatchObject({
        code: 'SIGN_IN_DENIED',
        exitCode: 1,
      });
    });
  });

  describe('with the code flow', () => {
    it('signs in when the browser returns to loopback with the code', async () => {
      const { machine, stored } = await withProvider();
      const child = await machine.start(['cloud', 'login', '--flow', 'code', '--json']);
      const end = ended(child);
      const [, address] = await said(child, /Open (\S+)/);
      const asked = new URL(address!).searchParams;
      expect(asked.get('code_challenge_method')).toBe('S256');
      expect(asked.get('resource')).toBe(AUDIENCE);
      const visitor = new Visitor();
      const callback = await signInAs(visitor, await visitor.open(address!), 'bob');
      expect((await fetch(callback.url)).status).toBe(200);
      const run = await end;
      expect(run.json()).toMatchObject({ alias: 'work', subject: 'bob' });
      const session = await stored();
      expect(decodeJwt(session.accessToken)).toMatchObject({ sub: 'bob', aud: AUDIENCE });
      expect(run.stdout + run.stderr).not.toContain(session.accessToken);
    });

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

    it('ends with 1 and the cause for a person whom the platform does not know, and keeps the session', async () => {
      const { machine, platform, issuer, stored } = await withProvider();
      const refused = { code: 'NOT_ENROLLED', message: 'No user of the tenant is bound to this subject.' };
      platform.answer('GET /v1/whoami', { status: 403, body: refused });
      const run = await signInBob(machine, '--json');
      expect({ exit: run.code, ...run.json() }).toMatchObject({
        exit: 1,
        code: 'NOT_ENROLLED',
        message: `bob has signed in at ${issuer}, and work refuses it: ${refused.message}`,
        details: {
          subject: 'bob',
          next: expect.stringContaining(
            `plat admin user add <name> --subject bob --issuer ${issuer} --role TenantUser`,
          ),
        },
      });
      expect(run.stdout).not.toContain('Signed in to');
      expect(await stored()).toMatchObject({ subject: 'bob' });
    });

    it('ends with 1 if the platform does not take the token, and does not name itself as the next step', async () => {
      const { machine, platform } = await withProvider();
      platform.acceptsEveryToken = false;
      const run = await signInBob(machine, '--json');
      expect({ exit: run.code, ...run.json() }).toMatchObject({ exit: 1, code: 'UNAUTHENTICATED' });
      expect(run.json<{ details: { next: string } }>().details.next).toMatch(
        /^plat cloud init work --api-url /,
      );
    });

    it('ignores a redirect that another page forged, and accepts the refusal of the right one', async () => {
      const { machine } = await withProvider();
      const child = await machine.start(['cloud', 'login', '--flow', 'code', '--json']);
      const end = ended(child);
      const [, address] = await said(child, /Open (\S+)/);
      const asked = new URL(address!).searchParams;
      const callback = new URL(asked.get('redirect_uri')!);
      callback.search = new URLSearchParams({ state: 'forged', code: 'forged' }).toString();
      expect((await fetch(callback)).status).toBe(404);
      const issuer = new URL(address!).origin;
      callback.search = new URLSearchParams({
        state: asked.get('state')!,
        error: 'access_denied',
        iss: issuer,
      }).toString();
      expect((await fetch(callback)).status).toBe(200);
      expect((await end).json()).toMatchObject({ code: 'SIGN_IN_DENIED' });
    });
  });

  describe('at a provider that ignores which API a token is asked for', () => {
    const TRUE_PLATFORM = 'https://true.example.com';

    it.each(['device', 'code'])('refuses a token for another platform: %s flow', async (flow) => {
      const { machine, platform, issuer, sessions } = await withProvider(
        startIdentityProvider(TRUE_PLATFORM, { ignoresResource: true }),
      );
      const child = await machine.start(['cloud', 'login', '--flow', flow, '--json']);
      const end = ended(child);
      const [, address, code] = await said(child, /Open (\S+)(?: and enter the code (\S+))?/);
      const visitor = new Visitor();
      const page = await visitor.open(address!);
      if (code === undefined) {
        const callback = await signInAs(visitor, page, 'alice');
        await fetch(callback.url);
      } else {
        const confirmation = await visitor.submit(page, { user_code: code });
        await signInAs(visitor, await visitor.submit(confirmation), 'alice');
      }
      const run = await end;
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        code: 'FOREIGN_TOKEN',
        message: expect.stringContaining(
          `${issuer} has issued a token for ${TRUE_PLATFORM}, and not for ${AUDIENCE}.`,
        ) as string,
        details: { issuer, audience: AUDIENCE, issuedFor: [TRUE_PLATFORM] },
      });
      await expect(readdir(sessions)).rejects.toThrow('ENOENT');
      expect(platform.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    });
  });

  describe('at a provider that begins sign-ins at another one, to which a person may be known', () => {
    it.each([
      ['device', 'device_authorization_endpoint'],
      ['code', 'authorization_endpoint'],
    ])('asks no one, and sends it no code: %s flow', async (flow, endpoint) => {
      const { machine, platform } = await setUp();
      const issuer = 'https://login.example.org';
      deviceDouble(platform, { expires_in: 600, interval: 0.1 }, { [endpoint]: `${issuer}/begin` });
      const run = await machine.plat(['cloud', 'login', '--flow', flow]);
      expect(run.stderr).toMatch(
        new RegExp(
          `^error FOREIGN_SIGN_IN: ${platform.url} begins a sign-in at ${issuer}, and would be sent`,
        ),
      );
      expect(run.stderr).not.toContain('Open ');
      expect(platform.to('POST /token')).toEqual([]);
    });

    it('says that the page for a code is at another host: the code may come from there', async () => {
      const { machine, platform } = await setUp();
      const page = { verification_uri: 'https://login.example.org/device' };
      deviceDouble(platform, { expires_in: 600, interval: 0.1, ...page });
      platform.answer('POST /token', { status: 400, body: { error: 'access_denied' } });
      expect((await machine.plat(['cloud', 'login'])).stderr).toContain(
        'Go on only if you know that login.example.org is of the same provider: the code may be for another platform\n',
      );
    });
  });

  it('reports that the identity provider cannot be reached', async () => {
    const { machine } = await setUp('http://127.0.0.1:1');
    const run = await machine.plat(['cloud', 'login']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('No usable answer from http://127.0.0.1:1: ');
  });
});

/** Makes the double a provider with a device endpoint. The test scripts its token endpoint. */
function deviceDouble(
  platform: PlatformDouble,
  granted: { expires_in: number; interval: number; verification_uri?: string },
  endpoints: Record<string, string> = {},
): void {
  platform.answer('GET /.well-known/openid-configuration', {
    body: {
      issuer: platform.url,
      token_endpoint: `${platform.url}/token`,
      device_authorization_endpoint: `${platform.url}/device`,
      ...endpoints,
    },
  });
  const grant = {
    device_code: 'device',
    user_code: 'ABCD-EFGH',
    verification_uri: `${platform.url}/activate`,
  };
  platform.answer('POST /device', { body: { ...grant, ...granted } });
}
