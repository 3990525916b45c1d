import { signedInMachine } from '../black-box/signed-in';
import { maskTokens } from './mask-tokens';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('--debug', () => {
  it('says on stderr what is called and what comes back, and shows no token', async () => {
    const { machine, platform, dispose } = await signedInMachine({ accessToken: JWT });
    platform.tokens.add(JWT);
    platform.answer('GET /v1/releases', { body: [{ note: `Bearer ${JWT}` }] });
    const quiet = await machine.plat(['api', 'GET', '/v1/releases']);
    const run = await machine.plat(['api', 'GET', '/v1/releases', '--debug']);
    const refused = await machine.plat(['api', 'GET', '/v1/reviews', '--debug']);
    expect(quiet.stderr).toBe('');
    expect(run.stderr).toContain(`debug: GET ${platform.url}/v1/releases Authorization: Bearer ***`);
    expect(run.stderr).toMatch(/debug: answered after \d+ ms: \[\{"note":"Bearer \*\*\*"\}\]/);
    expect(run.stderr + refused.stderr).not.toContain('eyJ');
    expect(run.stdout).toBe(quiet.stdout);
    expect(refused.stderr).toMatch(/debug: failed after \d+ ms: NOT_FOUND req-/);
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
