import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
import { ProxyDouble } from '../black-box/proxy-double';

const [API, LOGIN] = ['api.platform.test', 'login.platform.test'];
const ISSUER = `https://${LOGIN}`;
const TOKENS = { access_token: 'access-1', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r-1' };

describe('a platform and its identity provider behind a proxy', () => {
  let platform: PlatformDouble;
  let proxy: ProxyDouble;
  let trust: string;
  let machine: Machine;
  beforeEach(async () => {
    platform = await PlatformDouble.start();
    proxy = await ProxyDouble.start(Number(new URL(platform.url).port), API, LOGIN);
    machine = await Machine.create();
    trust = await mkdtemp(join(tmpdir(), 'plat-proxied-'));
    await writeFile(join(trust, 'cert.pem'), proxy.certificate);
    platform.answer('GET /v1/platform', {
      body: { issuer: ISSUER, apiUrl: `https://${API}`, cliClientId: 'plat-cli', version: '0.1.0' },
    });
    platform.answer('GET /.well-known/openid-configuration', {
      body: {
        issuer: ISSUER,
        token_endpoint: `${ISSUER}/token`,
        device_authorization_endpoint: `${ISSUER}/device`,
      },
    });
    platform.answer('POST /device', {
      status: 200,
      body: {
        device_code: 'd',
        user_code: 'ABCD-EFGH',
        verification_uri: `${ISSUER}/enter`,
        expires_in: 60,
        interval: 0.1,
      },
    });
    platform.answer('GET /v1/whoami', { body: {} });
    platform.answer('GET /v1/reviews', { body: [] });
    platform.answer('POST /token', { status: 200, body: TOKENS });
  });
  afterEach(() =>
    Promise.all([platform.close(), proxy.close(), machine.remove(), rm(trust, { recursive: true })]),
  );

  const plat = (args: string[], env: Record<string, string> = { HTTPS_PROXY: proxy.url }) =>
    machine.plat([...args, '--json'], {
      env: { NODE_EXTRA_CA_CERTS: join(trust, 'cert.pem'), ...env },
    });
  const init = () => plat(['cloud', 'init', 'work', '--api-url', `https://${API}`]);
  const tunnels = () => [...new Set(proxy.tunnels.splice(0))].sort();

  it('are reached through it by the API, the sign-in, the renewal and doctor', async () => {
    expect((await init()).json()).toMatchObject({ apiUrl: `https://${API}`, audience: `https://${API}` });
    expect(tunnels()).toEqual([`${API}:443`]);
    expect(await plat(['cloud', 'login'])).toMatchObject({ code: 0 });
    expect(tunnels()).toEqual([`${API}:443`, `${LOGIN}:443`]);
    expect(await plat(['cloud', 'status'])).toMatchObject({ code: 0 });
    expect(tunnels()).toEqual([`${API}:443`]);
    // The platform refuses the token, so that the session is renewed.
    platform.tokens.clear();
    await plat(['cloud', 'status']);
    expect(tunnels()).toEqual([`${API}:443`, `${LOGIN}:443`]);
    const findings = (await plat(['doctor'])).json<{ findings: Array<{ check: string; message: string }> }>();
    expect(JSON.stringify(findings)).toContain('answers, version 0.1.0');
    expect(proxy.readable).toEqual([]);
  });

  it('of an authority that this machine does not trust fail otherwise than an unreachable network', async () => {
    const untrusting = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: '' };
    const args = ['cloud', 'init', 'work', '--api-url', `https://${API}`];
    const refusal = (address: string) => ({
      code: 'CERTIFICATE_NOT_TRUSTED',
      message: expect.stringContaining(`signed the certificate of ${address} (DEPTH_ZERO_SELF_SIGNED_CERT)`),
      details: { next: expect.stringMatching(/^set NODE_EXTRA_CA_CERTS .*docs\/private-authority\.md/) },
    });
    expect((await plat(args, untrusting)).json()).toMatchObject(refusal(`https://${API}`));
    await init();
    expect((await plat(['cloud', 'login'], untrusting)).json()).toMatchObject(refusal(ISSUER));
    expect((await plat(['doctor'], untrusting)).json()).toContainEqual(
      expect.objectContaining({ check: 'platform', code: 'CERTIFICATE_NOT_TRUSTED' }),
    );
  });

  it('are reached with the credentials of the proxy, which only the proxy gets', async () => {
    const withUser = proxy.url.replace('://', '://me%40x:s3cret@');
    expect(await init()).toMatchObject({ code: 0 });
    expect(await plat(['cloud', 'login'], { https_proxy: withUser })).toMatchObject({ code: 0 });
    expect(proxy.credentials).toBe(`Basic ${Buffer.from('me@x:s3cret').toString('base64')}`);
    expect(platform.requests.every(({ authorization }) => !authorization?.startsWith('Basic'))).toBe(true);
  });

  it('are reached without it where NO_PROXY has them', async () => {
    const run = await plat(['cloud', 'init', 'work', '--api-url', `https://${API}`], {
      HTTPS_PROXY: proxy.url,
      NO_PROXY: 'other.test,.platform.test',
    });
    expect(run.json()).toMatchObject({ code: 'PLATFORM_UNREACHABLE' });
    expect(tunnels()).toEqual([]);
  });

  it('get no token for another platform', async () => {
    platform.answer('GET /v1/platform', {
      body: { issuer: ISSUER, apiUrl: 'https://victim.example.com', cliClientId: 'plat-cli' },
    });
    expect((await init()).json()).toMatchObject({
      code: 'OTHER_AUDIENCE',
      details: { audience: 'https://victim.example.com' },
    });
  });

  it('are reached by no proxy on this machine, which would read the token', async () => {
    const { url } = platform;
    const env = {
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      HTTPS_PROXY: proxy.url,
      ALL_PROXY: proxy.url,
    };
    platform.answer('GET /v1/platform', {
      body: { issuer: url, apiUrl: url, cliClientId: 'plat-cli', version: '0.1.0' },
    });
    platform.answer('GET /.well-known/openid-configuration', {
      body: {
        issuer: url,
        token_endpoint: `${url}/token`,
        device_authorization_endpoint: `${url}/device`,
      },
    });
    expect(await plat(['cloud', 'init', 'work', '--api-url', url], env)).toMatchObject({ code: 0 });
    for (const command of [
      ['cloud', 'login'],
      ['cloud', 'status'],
      ['review', 'list'],
    ]) {
      expect(await plat(command, env)).toMatchObject({ code: 0 });
    }
    expect((await plat(['doctor'], env)).stdout).toContain('answers, version 0.1.0');
    expect([proxy.readable, proxy.tunnels]).toEqual([[], []]);
    expect(await readFile(join(machine.configFolder, 'config.yaml'), 'utf8')).toContain(url);
  });
});
