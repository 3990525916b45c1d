import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { signedInMachine } from '../black-box/signed-in';
import {
  type EnvironmentSession,
  environmentSessionPath,
  readEnvironmentSession,
} from './environment-session';
import { provisionSession } from './provision-session';
import { readPlatform } from './read-platform';

const NAME = { tenant: 'acme', environment: 'dev' };
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

describe('the session of an environment', () => {
  /** A signed-in machine, whose provider exchanges tokens and ends sessions. */
  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    const { configFolder } = machine;
    const alias = await readPlatform('work', platform.url);
    const path = environmentSessionPath(configFolder, NAME);
    platform.answer('GET /.well-known/openid-configuration', {
      body: {
        issuer: platform.url,
        token_endpoint: `${platform.url}/token`,
        revocation_endpoint: `${platform.url}/revoke`,
        grant_types_supported: [EXCHANGE],
      },
    });
    let issued = 0;
    const onExchange = { run: () => {}, accessToken: 'a' };
    platform.answer('POST /token', () => {
      issued += 1;
      onExchange.run();
      const refresh_token = `of-pod-${issued}`;
      const access_token = onExchange.accessToken;
      return { body: { access_token, token_type: 'bearer', expires_in: 60, refresh_token } };
    });
    const stored = () => (JSON.parse(readFileSync(path, 'utf8')) as EnvironmentSession).refreshToken;
    const storedAtRevocation: string[] = [];
    platform.answer('POST /revoke', () => {
      storedAtRevocation.push(stored());
      return { text: '' };
    });
    const revoked = () => platform.to('POST /revoke').map(({ body }) => body?.token);
    const provision = (renew: boolean) =>
      provisionSession({ configFolder, name: NAME, alias, renew, waiting: () => {} });
    return {
      configFolder,
      path,
      platform,
      provision,
      revoked,
      stored,
      storedAtRevocation,
      onExchange,
      dispose,
    };
  }

  it('is stored before the earlier one is ended, so that a run that is stopped leaves one that is alive', async () => {
    const { provision, revoked, storedAtRevocation, dispose } = await setUp();
    await provision(false);
    expect(await provision(true)).toMatchObject({ provisioned: true, by: 'exchanged' });
    expect(revoked()).toEqual(['of-pod-1']);
    expect(storedAtRevocation).toEqual(['of-pod-2']);
    await dispose();
  });

  it('of two runs at once is the one that is not ended', async () => {
    const { provision, revoked, stored, dispose } = await setUp();
    await provision(false);
    await Promise.all([provision(true), provision(true), provision(true)]);
    const all = ['of-pod-1', 'of-pod-2', 'of-pod-3', 'of-pod-4'];
    expect([...revoked()].sort()).toEqual(all.filter((token) => token !== stored()));
    await dispose();
  });

  it('of two first runs at once is one, which the second run keeps', async () => {
    const { provision, platform, dispose } = await setUp();
    const results = await Promise.all([provision(false), provision(false)]);
    expect(results.map((result) => result.provisioned && result.by).sort()).toEqual(['exchanged', 'kept']);
    expect(platform.to('POST /token')).toHaveLength(1);
    await dispose();
  });

  it('that cannot be stored is ended, and the earlier one is not', async () => {
    const { path, platform, provision, revoked, onExchange, dispose } = await setUp();
    await provision(false);
    platform.answer('POST /revoke', { text: '' });
    onExchange.run = () => {
      rmSync(path);
      mkdirSync(path);
    };
    await expect(provision(true)).rejects.toThrow('EISDIR');
    expect(revoked()).toEqual(['of-pod-2']);
    await dispose();
  });

  it('is not provisioned if the provider issues it for another platform', async () => {
    const { configFolder, platform, provision, onExchange, dispose } = await setUp();
    const claims = Buffer.from(JSON.stringify({ aud: 'https://true.example.com' })).toString('base64url');
    onExchange.accessToken = `e30.${claims}.c2ln`;
    expect(await provision(false)).toMatchObject({
      provisioned: false,
      code: 'FOREIGN_TOKEN',
      reason: expect.stringContaining(`and not for ${platform.url}`) as string,
    });
    expect(await readEnvironmentSession(configFolder, NAME)).toBeUndefined();
    await dispose();
  });

  it('whose provider does not answer stays as it is', async () => {
    const { configFolder, platform, provision, revoked, dispose } = await setUp();
    await provision(false);
    platform.answer('POST /token', { status: 503, text: 'busy' });
    expect(await provision(true)).toMatchObject({ provisioned: false });
    expect(await readEnvironmentSession(configFolder, NAME)).toMatchObject({ refreshToken: 'of-pod-1' });
    expect(revoked()).toEqual([]);
    await dispose();
  });
});
