import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import type { PlatformDouble } from '../black-box/platform-double';
import { REFRESH_TOKEN, signedInMachine } from '../black-box/signed-in';
import type { StoredSession } from './stored-session';

const EXPIRED = new Date(Date.now() - 1000).toISOString();
const TRUE_PLATFORM = 'https://true.example.com';

/** A signed token for the API. */
function tokenFor(aud: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part({ aud, sub: 'alice' })}.c2lnbmF0dXJl`;
}

describe('the session of an alias', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(session: Partial<StoredSession> = {}) {
    const bundle = await signedInMachine(session);
    disposals.push(bundle.dispose);
    bundle.platform.answer('GET /v1/reviews', { body: [] });
    const readStored = async () => JSON.parse(await readFile(bundle.sessionPath, 'utf8')) as StoredSession;
    return { ...bundle, stored: readStored, list: () => bundle.machine.plat(['review', 'list', '--json']) };
  }

  /** Makes the platform's identity provider rotate: each refresh token is valid for one use. */
  function rotates(
    platform: PlatformDouble,
    issue = (refreshes: number) => `access-${refreshes + 1}`,
  ): { refreshes: number } {
    const state = { refreshes: 0 };
    let valid = REFRESH_TOKEN;
    platform.answer('GET /.well-known/openid-configuration', {
      body: {
        issuer: platform.url,
        token_endpoint: `${platform.url}/token`,
        revocation_endpoint: `${platform.url}/revoke`,
      },
    });
    platform.answer('POST /token', ({ body }) => {
      if (body?.refresh_token !== valid) return { status: 400, body: { error: 'invalid_grant' } };
      state.refreshes += 1;
      valid = `refresh-${state.refreshes + 1}`;
      const accessToken = issue(state.refreshes);
      platform.tokens.add(accessToken);
      return {
        body: { access_token: accessToken, token_type: 'bearer', expires_in: 3600, refresh_token: valid },
      };
    });
    return state;
  }

  it('is not waited for if a pipe is in its place', async () => {
    const { sessionPath, list } = await setUp();
    await rm(sessionPath);
    await promisify(execFile)('mkfifo', [sessionPath]);
    expect((await list()).json()).toMatchObject({
      code: 'SESSION_UNREADABLE',
      message: `The session ${sessionPath} is not a regular file.`,
    });
  });

  it('is sent as the bearer token of every call', async () => {
    const { platform, list } = await setUp();
    expect(await list()).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(platform.to('GET /v1/reviews')).toEqual([
      expect.objectContaining({ authorization: 'Bearer access-1' }),
    ]);
  });

  it('is renewed after it has expired; the rotated tokens are readable by their owner alone', async () => {
    const { platform, sessionPath, stored, list } = await setUp({ expiresAt: EXPIRED });
    rotates(platform);
    await chmod(sessionPath, 0o644);
    await chmod(join(sessionPath, '..'), 0o755);
    expect(await list()).toMatchObject({ code: 0 });
    expect(await stored()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    expect((await stat(sessionPath)).mode & 0o777).toBe(0o600);
    expect((await stat(join(sessionPath, '..'))).mode & 0o777).toBe(0o700);
    expect(platform.to('POST /token')[0]?.body).toMatchObject({
      grant_type: 'refresh_token',
      client_id: 'plat-cli',
      resource: platform.url,
    });
  });

  it('is renewed once if the service refuses the token, and the call is repeated', async () => {
    const { platform, list } = await setUp();
    const state = rotates(platform);
    platform.tokens.clear();
    expect(await list()).toMatchObject({ code: 0 });
    expect(platform.to('GET /v1/reviews').map(({ authorization }) => authorization)).toEqual([
      'Bearer access-1',
      'Bearer access-2',
    ]);
    expect(state.refreshes).toBe(1);
  });

  it('is renewed by only one of several processes, because a refresh token works once', async () => {
    const { platform, stored, list } = await setUp({ expiresAt: EXPIRED });
    const state = rotates(platform);
    const runs = await Promise.all([list(), list(), list(), list()]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(state.refreshes).toBe(1);
    expect((await stored()).refreshToken).toBe('refresh-2');
  });

  it('survives the lock of a process that has ended', async () => {
    const { platform, sessionPath, list } = await setUp({ expiresAt: EXPIRED });
    rotates(platform);
    await writeFile(`${sessionPath}.lock`, '4194304');
    expect(await list()).toMatchObject({ code: 0 });
  });

  it('ends if the identity provider refuses it, with exit code 1, the next command, and no file left', async () => {
    const { platform, sessionPath, list } = await setUp({
      expiresAt: EXPIRED,
      refreshToken: 'stolen-and-used',
    });
    rotates(platform);
    const run = await list();
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'SIGNED_OUT',
      details: { next: 'plat cloud login --alias work' },
    });
    await expect(stat(sessionPath)).rejects.toThrow('ENOENT');
  });

  it('is not renewed with a token for another platform, which is neither stored nor sent', async () => {
    const { platform, stored, list } = await setUp({ expiresAt: EXPIRED });
    const foreign = tokenFor(TRUE_PLATFORM);
    rotates(platform, () => foreign);
    expect((await list()).json()).toMatchObject({
      code: 'FOREIGN_TOKEN',
      details: { audience: platform.url, issuedFor: [TRUE_PLATFORM] },
    });
    // The former refresh token is used up, so the session would end without the new one.
    expect(await stored()).toMatchObject({ accessToken: 'access-1', refreshToken: 'refresh-2' });
    expect(platform.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });

  it('is kept if the identity provider cannot be reached', async () => {
    const { stored, list } = await setUp({ expiresAt: EXPIRED });
    expect((await list()).json()).toMatchObject({ code: 'IDENTITY_PROVIDER_FAILED', exitCode: 1 });
    expect((await stored()).refreshToken).toBe(REFRESH_TOKEN);
  });

  it.each(['', '{', '[]', '{"accessToken":1}', '{"accessToken":"a","expiresAt":"soon"}'])(
    'counts as signed out if its file contains %j',
    async (content) => {
      const { sessionPath, list } = await setUp();
      await writeFile(sessionPath, content);
      expect((await list()).json()).toMatchObject({ code: 'SIGNED_OUT' });
    },
  );

  it('is not used for another platform under the same alias', async () => {
    const { machine, platform, list } = await setUp();
    const other = await signedInMachine();
    disposals.push(other.dispose);
    await machine.plat(['cloud', 'init', 'work', '--api-url', other.platform.url]);
    expect((await list()).json()).toMatchObject({ code: 'SIGNED_OUT' });
    expect(platform.to('GET /v1/reviews')).toEqual([]);
    expect(other.platform.to('GET /v1/reviews')).toEqual([]);
  });

  it('is removed by logout, and its refresh token revoked at the provider', async () => {
    const { machine, platform, sessionPath } = await setUp();
    rotates(platform);
    platform.answer('POST /revoke', { body: {} });
    const logout = () => machine.plat(['cloud', 'logout', '--json']);
    expect((await logout()).json()).toEqual({ alias: 'work', wasSignedIn: true, revoked: true });
    expect(platform.to('POST /revoke')[0]?.body).toMatchObject({ token: REFRESH_TOKEN });
    await expect(stat(sessionPath)).rejects.toThrow('ENOENT');
    expect(await logout()).toMatchObject({ code: 0 });
  });

  it('appears in no output, no other file and no message, for any failure', async () => {
    const secrets = { accessToken: 'access-secret', refreshToken: 'refresh-secret' };
    const { machine, platform, sessionPath } = await setUp(secrets);
    platform.answer('GET /v1/reviews', { status: 500, body: { code: 'INTERNAL_ERROR', message: 'No.' } });
    const lines = [
      ['review', 'list'],
      ['api', 'GET', '/v1/reviews'],
      ['cloud', 'status'],
      ['cloud', 'status', '--all'],
      ['api', 'POST', '/v1/x', '--dry-run'],
    ];
    for (const line of lines) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr } = await machine.plat([...line, ...more]);
        expect(stdout + stderr).not.toMatch(/access-secret|refresh-secret/);
      }
    }
    const config = await readFile(join(machine.configFolder, 'config.yaml'), 'utf8');
    expect(config).not.toContain('secret');
    expect(await readdir(join(sessionPath, '..'))).toHaveLength(1);
  });
});
