import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { approveDevice, Visitor } from '@plat/testing';
import { createIssuers, type Issuers } from './issuers';

const API = 'https://api.example.com';
const SHARED = [
  { name: 'alice', subject: 'sub-alice', description: 'acme · TenantAdmin', org: 'acme' },
  { name: 'mallory', subject: 'sub-mallory', description: '<b>globex</b>', org: 'globex' },
];
const SOLO = [{ name: 'sam', subject: 'sub-sam', description: 'solo · TenantAdmin' }];

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()?.();
});

interface Running {
  issuers: Issuers;
  baseUrl: string;
  faults: unknown[];
  close(): Promise<void>;
}

/** The issuers in front of another listener, on one port, as `npm start` runs them. */
async function serve({ dataDir, port = 0 }: { dataDir: string; port?: number }): Promise<Running> {
  const faults: unknown[] = [];
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanUps.push(close);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const onFault = (fault: unknown) => faults.push(fault);
  const issuers = await createIssuers({
    baseUrl,
    dataDir,
    audience: API,
    sharedAccounts: SHARED,
    soloAccounts: SOLO,
    onFault,
  });
  server.on('request', (req, res) => {
    if (!issuers.handle(req, res)) res.writeHead(418).end('something else');
  });
  return { issuers, baseUrl, faults, close };
}

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-issuers-'));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

function discover(issuer: string): Promise<client.Configuration> {
  return client.discovery(new URL(issuer), 'plat-cli', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
}

/** Checks a token as the API does: signature by the issuer's published keys, issuer, audience. */
async function verifyToken(token: string, issuer: string) {
  const config = await discover(issuer);
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri as string));
  return (await jwtVerify(token, keys, { issuer, audience: API, requiredClaims: ['exp', 'sub'] })).payload;
}

async function signInByDevice(issuer: string, account: string, more: Record<string, string> = {}) {
  const config = await discover(issuer);
  const device = await client.initiateDeviceAuthorization(config, { scope: 'openid', ...more });
  await approveDevice(device.verification_uri_complete as string, account);
  return { config, tokens: await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 }) };
}

describe('the issuers', () => {
  it('are discovered below their paths; every other path is left to the API', async () => {
    const { issuers, baseUrl } = await serve({ dataDir: await folder() });
    expect(issuers.issuer).toBe(`${baseUrl}/issuers/shared`);
    expect(issuers.soloIssuer).toBe(`${baseUrl}/issuers/solo`);
    for (const issuer of [issuers.issuer, issuers.soloIssuer]) {
      const metadata = (await discover(issuer)).serverMetadata();
      expect(metadata.issuer).toBe(issuer);
      expect(metadata.device_authorization_endpoint).toBe(`${issuer}/device/auth`);
      expect(metadata.code_challenge_methods_supported).toContain('S256');
    }
    expect((await fetch(`${baseUrl}/v1/platform`)).status).toBe(418);
    expect((await fetch(`${baseUrl}/issuers/sharedx/token`)).status).toBe(418);
  });

  it('publish only public keys, each issuer its own', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const keySets = await Promise.all(
      [issuers.issuer, issuers.soloIssuer].map(async (issuer) => {
        const response = await fetch((await discover(issuer)).serverMetadata().jwks_uri as string);
        return (await response.json()) as { keys: { kid: string; d?: string }[] };
      }),
    );
    const keys = keySets.flatMap((set) => set.keys);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2);
    expect(keys.filter((key) => 'd' in key)).toEqual([]);
  });

  it('keep keys and refresh tokens in files that only their owner reads', async () => {
    const dataDir = join(await folder(), 'issuers');
    const { issuers } = await serve({ dataDir });
    await signInByDevice(issuers.issuer, 'alice');
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    for (const file of ['shared.key.json', 'shared.state.json', 'solo.key.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('refuse to start on a damaged key, naming its file', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'solo.key.json'), '{}');
    await expect(serve({ dataDir })).rejects.toThrow(join(dataDir, 'solo.key.json'));
  });
});

describe('the device grant', () => {
  it("gives a JWT for the API with the picked account's subject and org", async () => {
    const { issuers, faults } = await serve({ dataDir: await folder() });
    const { tokens } = await signInByDevice(issuers.issuer, 'alice');
    const claims = await verifyToken(tokens.access_token, issuers.issuer);
    expect(claims).toMatchObject({ sub: 'sub-alice', org: 'acme', client_id: 'plat-cli' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeGreaterThanOrEqual(3600);
    expect(faults).toEqual([]);
  });

  it('gives no org claim at the single-tenant issuer', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const { tokens } = await signInByDevice(issuers.soloIssuer, 'sam');
    expect(await verifyToken(tokens.access_token, issuers.soloIssuer)).toMatchObject({ sub: 'sub-sam' });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('org');
  });

  it('is denied when the person cancels on the account page', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const config = await discover(issuers.issuer);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const visitor = new Visitor();
    const accounts = await visitor.submit(
      await visitor.submit(await visitor.open(device.verification_uri_complete as string)),
    );
    expect(accounts.html).toContain('&lt;b&gt;globex&lt;/b&gt;');
    expect((await visitor.submit(accounts, { cancel: 'yes' })).html).toContain('The sign-in was cancelled.');
    const poll = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 });
    await expect(poll).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('is denied when the person does not recognize the code', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const config = await discover(issuers.issuer);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const visitor = new Visitor();
    const confirmation = await visitor.submit(await visitor.open(device.verification_uri_complete as string));
    expect(confirmation.html).toContain(device.user_code);
    expect((await visitor.submit(confirmation, { abort: 'yes' })).html).toContain(
      'The sign-in was cancelled.',
    );
    const poll = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 });
    await expect(poll).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('refuses an unknown code, and takes a right one after it', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const config = await discover(issuers.issuer);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const visitor = new Visitor();
    const wrong = await visitor.submit(await visitor.open(device.verification_uri), {
      user_code: 'NOPE-NOPE',
    });
    expect(wrong.html).toContain('No sign-in waits for this code.');
    expect(wrong.html).toMatch(/<label for="user-code">Code<\/label>\s*<input id="user-code"/);
    const confirmation = await visitor.submit(wrong, { user_code: device.user_code });
    expect(confirmation.html).toContain('Is this your code?');
  });
});

const TYPE = 'urn:ietf:params:oauth:token-type:';
const exchanged = (config: client.Configuration, token: string, resource = API) =>
  client.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:token-exchange', {
    subject_token: token,
    subject_token_type: `${TYPE}access_token`,
    requested_token_type: `${TYPE}refresh_token`,
    resource,
    scope: 'openid offline_access',
  });

describe('the token exchange (RFC 8693)', () => {
  it('gives a session of its own to the same person: each is renewed and ended without the other', async () => {
    const { issuers, faults } = await serve({ dataDir: await folder() });
    const { config, tokens } = await signInByDevice(issuers.issuer, 'alice');
    const second = await exchanged(config, tokens.access_token);
    expect(await verifyToken(second.access_token, issuers.issuer)).toMatchObject({
      sub: 'sub-alice',
      org: 'acme',
    });
    const resource = { resource: API };
    const renewed = await client.refreshTokenGrant(config, second.refresh_token!, resource);
    expect(await verifyToken(renewed.access_token, issuers.issuer)).toMatchObject({ sub: 'sub-alice' });
    const first = await client.refreshTokenGrant(config, tokens.refresh_token!);
    await client.tokenRevocation(config, first.refresh_token!);
    expect(await client.refreshTokenGrant(config, renewed.refresh_token!, resource)).toMatchObject({
      refresh_token: expect.any(String),
    });
    expect(faults).toEqual([]);
  });

  it.each(['', 'none', 'of the other issuer'])('refuses a token that is not its own: %j', async (kind) => {
    const { issuers, faults } = await serve({ dataDir: await folder() });
    const foreign = await signInByDevice(issuers.soloIssuer, 'sam');
    const token = kind === 'of the other issuer' ? foreign.tokens.access_token : kind;
    await expect(exchanged(await discover(issuers.issuer), token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(faults).toEqual([]);
  });
});

describe('a token for another API', () => {
  const resource = 'https://evil.example.com';
  const refusal = { error: 'invalid_target' };

  it('is refused before a person is asked', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const config = await discover(issuers.issuer);
    const device = client.initiateDeviceAuthorization(config, { scope: 'openid', resource });
    await expect(device).rejects.toMatchObject(refusal);
    const { url } = await new Visitor().open((await beginCodeGrant(issuers.issuer, { resource })).url);
    expect(new URL(url).searchParams.get('error')).toBe('invalid_target');
  });

  it('is refused to a session that has one for the API', async () => {
    const { issuers, faults } = await serve({ dataDir: await folder() });
    const { config, tokens } = await signInByDevice(issuers.issuer, 'alice', { resource: API });
    expect(await verifyToken(tokens.access_token, issuers.issuer)).toMatchObject({ aud: API });
    const renewed = client.refreshTokenGrant(config, tokens.refresh_token!, { resource });
    await expect(renewed).rejects.toMatchObject(refusal);
    expect(faults).toEqual([]);
  });

  it('is refused by the token exchange', async () => {
    const { issuers, faults } = await serve({ dataDir: await folder() });
    const { config, tokens } = await signInByDevice(issuers.issuer, 'alice');
    await expect(exchanged(config, tokens.access_token, resource)).rejects.toMatchObject(refusal);
    expect(faults).toEqual([]);
  });
});

describe('a request that no browser sends in a sign-in', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each([
    ['POST', 'device', form, 'user_code=AAAA-AAAA'],
    ['POST', 'device', form, 'user_code=a&user_code=b&xsrf=x'],
    ['POST', 'device', form, '%zz'],
    ['POST', 'device', form, `x=${'x'.repeat(100_000)}`],
    ['POST', 'device', { 'content-type': 'application/json' }, '{'],
    ['POST', 'device', { ...form, 'content-encoding': 'gzip' }, 'a=b'],
    ['POST', 'device', {}, undefined],
    ['GET', 'device?user_code=a&user_code=b', {}, undefined],
    ['GET', 'device?user_code=%zz', {}, undefined],
    ['GET', 'device/nobody', {}, undefined],
    ['GET', 'device/auth', {}, undefined],
    ['GET', 'device/nobody', { cookie: 'plat_shared_session=%zz' }, undefined],
    ['GET', 'interaction/nobody', {}, undefined],
    ['POST', 'auth', form, 'client_id=%00'],
    ['POST', 'token', form, 'client_id=plat-cli&grant_type=refresh_token&refresh_token=%00'],
  ] as [string, string, Record<string, string>, string | undefined][])(
    'is answered without a server fault, and without frames or scripts: %s %s %j %.20s',
    async (method, path, headers, body) => {
      const { issuers, faults } = await serve({ dataDir: await folder() });
      const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      cleanUps.push(async () => printed.mockRestore());
      const asked = { method, headers: { accept: 'text/html', ...headers }, body };
      const answer = await fetch(`${issuers.issuer}/${path}`, asked);
      expect(answer.status).toBeLessThan(500);
      expect(await answer.text()).not.toMatch(/\n\s+at |node_modules/);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; ?script-src 'none'.*frame-ancestors 'none'/,
      );
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(faults).toEqual([]);
      expect(printed).not.toHaveBeenCalled();
    },
  );

  it('gets a page from which the sign-in starts again', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const answer = await fetch(`${issuers.issuer}/device`, { method: 'POST', body: new URLSearchParams() });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
    const [, start] = /href="([^"]+)">Start again/.exec(await answer.text())!;
    expect((await fetch(start!)).status).toBe(200);
  });
});

describe('the account page', () => {
  it('is refused without the cookie of the browser that began the sign-in', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const { url } = await beginCodeGrant(issuers.issuer);
    const accounts = await new Visitor().open(url);
    const stranger = await fetch(accounts.url, {
      method: 'POST',
      body: new URLSearchParams({ account: 'alice' }),
    });
    expect(stranger.status).toBe(400);
    expect(await stranger.text()).toContain('unknown here');
  });

  it("knows only its own issuer's accounts", async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const visitor = new Visitor();
    const accounts = await visitor.open((await beginCodeGrant(issuers.issuer)).url);
    expect(accounts.html).not.toContain('sam');
    expect((await visitor.submit(accounts, { account: 'sam' })).status).toBe(400);
  });

  it('lets a browser that is signed in pick another account', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const visitor = new Visitor();
    await visitor.submit(await visitor.open((await beginCodeGrant(issuers.issuer)).url), {
      account: 'alice',
    });
    const second = await beginCodeGrant(issuers.issuer);
    const change = await visitor.submit(await visitor.open(second.url), { account: 'mallory' });
    const callback = await visitor.submit(change);
    const tokens = await second.redeem(callback.url);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'sub-mallory', org: 'globex' });
  });
});

/** Begins an authorization code grant with PKCE, as a native client does that listens on some port. */
async function beginCodeGrant(issuer: string, more: Record<string, string> = {}) {
  const config = await discover(issuer);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: 'http://127.0.0.1:49152/callback',
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...more,
  }).href;
  const redeem = (callback: string) =>
    client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier, expectedState });
  return { config, url, redeem };
}

describe('the authorization code grant', () => {
  it('with PKCE comes back to the loopback port of the client', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const grant = await beginCodeGrant(issuers.issuer);
    const visitor = new Visitor();
    const callback = await visitor.submit(await visitor.open(grant.url), { account: 'alice' });
    expect(callback.url).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?code=/);
    const tokens = await grant.redeem(callback.url);
    expect(await verifyToken(tokens.access_token, issuers.issuer)).toMatchObject({
      sub: 'sub-alice',
      org: 'acme',
    });
    expect(tokens.claims()?.sub).toBe('sub-alice');
  });

  it('is refused without PKCE, and for a callback elsewhere', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const config = await discover(issuers.issuer);
    const open = (parameters: Record<string, string>) =>
      new Visitor().open(client.buildAuthorizationUrl(config, { scope: 'openid', ...parameters }).href);
    const noPkce = await open({ redirect_uri: 'http://127.0.0.1:49152/callback' });
    expect(new URL(noPkce.url).searchParams.get('error')).toBe('invalid_request');
    const elsewhere = await open({
      redirect_uri: 'https://evil.example/callback',
      code_challenge: 'x',
      code_challenge_method: 'S256',
    });
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.html).toContain('That did not work');
  });
});

describe('a refresh token', () => {
  it('is rotated, and a replayed one ends the grant', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const { config, tokens } = await signInByDevice(issuers.issuer, 'alice');
    const second = await client.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    expect(await verifyToken(second.access_token, issuers.issuer)).toMatchObject({
      sub: 'sub-alice',
      org: 'acme',
    });
    const replay = client.refreshTokenGrant(config, tokens.refresh_token as string);
    await expect(replay).rejects.toMatchObject({ error: 'invalid_grant' });
    const successor = client.refreshTokenGrant(config, second.refresh_token as string);
    await expect(successor).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('is valid after a restart on the same folder, and so are tokens signed before', async () => {
    const dataDir = await folder();
    const before = await serve({ dataDir });
    const { config, tokens } = await signInByDevice(before.issuers.issuer, 'alice');
    await before.close();
    const after = await serve({ dataDir, port: Number(new URL(before.baseUrl).port) });
    expect(await verifyToken(tokens.access_token, after.issuers.issuer)).toMatchObject({ sub: 'sub-alice' });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ sub: 'sub-alice', org: 'acme' });
  });

  it('ends by revocation', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const { config, tokens } = await signInByDevice(issuers.issuer, 'alice');
    await client.tokenRevocation(config, tokens.refresh_token as string);
    const refresh = client.refreshTokenGrant(config, tokens.refresh_token as string);
    await expect(refresh).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a minted token', () => {
  it('is like one of the token endpoint, and valid for 24 hours', async () => {
    const { issuers } = await serve({ dataDir: await folder() });
    const claims = await verifyToken(await issuers.mint('mallory'), issuers.issuer);
    expect(claims).toMatchObject({ sub: 'sub-mallory', org: 'globex', client_id: 'plat-cli' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(24 * 3600);
    expect(await verifyToken(await issuers.mint('sam'), issuers.soloIssuer)).toMatchObject({
      sub: 'sub-sam',
    });
    expect(() => issuers.mint('nobody')).toThrow('no development account nobody');
  });
});
