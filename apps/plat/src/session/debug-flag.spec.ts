import { FORGE_REMOTE, FORGE_REQUEST_ID, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';
import { maskTokens } from '../terminal/mask-tokens';
import { writeSession } from './stored-session';

const tokenFor = (aud: string) =>
  `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify({ aud })).toString('base64url')}.c2lnbmF0dXJl`;
const JWT = tokenFor('https://api.example.com');

const COMMITS = ['--source-commit', '--commit-id'].map((flag) => `${flag}=${'a'.repeat(40)}`);

describe('--debug', () => {
  it('prints calls and answers on stderr, and shows no token', async () => {
    const { machine, platform, sessionPath, dispose } = await signedInMachine();
    const accessToken = tokenFor(platform.url);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await writeSession(sessionPath, { accessToken, expiresAt });
    platform.tokens.add(accessToken);
    platform.answer('GET /v1/releases', { body: [{ note: `Bearer ${accessToken}` }] });
    const quiet = await machine.plat(['api', 'GET', '/v1/releases']);
    const run = await machine.plat(['api', 'GET', '/v1/releases', '--debug']);
    const refused = await machine.plat(['api', 'GET', '/v1/reviews', '--debug']);
    expect(quiet.stderr).toBe('');
    expect(run.stderr).toContain(`debug: GET ${platform.url}/v1/releases Authorization: Bearer ***`);
    expect(run.stderr).toMatch(/debug: answered after \d+ ms: \[\{"note":"Bearer \*\*\*"/);
    expect(run.stderr + refused.stderr).not.toContain('eyJ');
    expect(run.stdout).toBe(quiet.stdout);
    expect(refused.stderr).toMatch(/debug: failed after \d+ ms: NOT_FOUND req-/);
    await dispose();
  });

  it('prints each git command and how it ended, without the password of a remote', async () => {
    const { machine, dispose } = await signedInMachine();
    const checkout = await GateCheckout.create(machine);
    await checkout.git('remote', 'set-url', 'origin', 'https://me:hunter2@127.0.0.1:1/app.git');
    const head = await checkout.git('rev-parse', 'HEAD');
    const push = ['exec', 'push', '--target-branch', 'main', '--commit-id', head, '--debug'];
    const { stderr } = await machine.plat(push, { cwd: checkout.folder });
    expect(stderr).toMatch(/^debug: git rev-parse --show-toplevel$/m);
    expect(stderr).toMatch(/^debug: git ended with \d+ after \d+ ms fatal: unable to access/m);
    expect(stderr).not.toContain('hunter2');
    await dispose();
  });

  it('prints each call to the identity provider, without its tokens', async () => {
    const expiresAt = new Date(0).toISOString();
    const { machine, platform, dispose } = await signedInMachine({
      expiresAt,
      refreshToken: 'refresh-secret',
    });
    platform.answer('GET /.well-known/openid-configuration', {
      body: { issuer: platform.url, token_endpoint: `${platform.url}/token` },
    });
    platform.answer('POST /token', { body: { access_token: 'access-1', token_type: 'bearer' } });
    platform.answer('GET /v1/releases', { body: [] });
    const { code, stderr } = await machine.plat(['api', 'GET', '/v1/releases', '--debug']);
    expect(code).toBe(0);
    expect(stderr).toContain(`debug: GET ${platform.url}/.well-known/openid-configuration\n`);
    expect(stderr).toMatch(new RegExp(`debug: POST ${platform.url}/token\ndebug: answered 200 after `));
    expect(stderr).not.toMatch(/refresh-secret|access-1/);
    await dispose();
  });

  it('prints each call to the forge: method, path, status, time and request id, but not its token', async () => {
    const [{ machine, dispose }, forge] = await Promise.all([signedInMachine(), ForgeDouble.start()]);
    const about = [`--repository=${FORGE_REMOTE}`, `--forge-url=${forge.url}`, '--target-branch=main'];
    const call = (token: string) =>
      machine.plat(['exec', 'close-pr', ...about, '--source=s', ...COMMITS, '--debug'], {
        env: { GH_TOKEN: token },
      });
    const pulls = `debug: GET ${forge.url}/repos/acme/app/pulls?`;
    const accepted = await call(FORGE_TOKEN);
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.stderr).toContain(pulls);
    expect(accepted.stderr).toMatch(
      new RegExp(`^debug: answered 200 to request ${FORGE_REQUEST_ID} after \\d+ ms$`, 'm'),
    );
    const refused = await call('gho_wrong');
    expect(refused.stderr).toMatch(/^debug: answered 401 to request /m);
    await forge.close();
    const alone = await call(FORGE_TOKEN);
    expect(alone.stderr).toMatch(/^debug: failed \(.+\) after \d+ ms$/m);
    expect(accepted.stderr + refused.stderr + alone.stderr).not.toContain('gho_');
    await dispose();
  });

  it.each([
    [`x ${JWT} y`, 'x *** y'],
    ['authorization: bearer abc', 'authorization: bearer ***'],
    ['{"refresh_token":"r1","name":"n"}', '{"refresh_token":"***","name":"n"}'],
    ['https://me:hunter2@git.example.com/a', 'https://git.example.com/a'],
  ])('masks %s', (text, masked) => {
    expect(maskTokens(text)).toBe(masked);
  });
});
