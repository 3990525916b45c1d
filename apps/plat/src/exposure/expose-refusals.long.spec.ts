import { writeFile } from 'node:fs/promises';
import { type ExposureFacts, exposureStands, TOKEN } from '../black-box/exposure-stand';

const IP = ['--ip', '192.0.2.10'];

const { start } = exposureStands();

describe('plat expose refuses before any write', () => {
  async function refusal(args: string[], facts?: ExposureFacts, service = 'mcp') {
    const { run, calls } = await start(facts);
    const made = await run(['expose', 'acme', 'dev', service, '--no-wait', '--json', ...args]);
    expect([made.code, await calls()]).toEqual([1, []]);
    return made.json<{ code: string; message: string; details: { next: string } }>();
  }

  it.each([
    [
      'an unknown key',
      'platform: { basedomain: example.com, env: ops-main, colour: red }\n',
      'platform.colour is no known key',
    ],
    [
      'a zone that is not at or below the domain',
      'platform: { basedomain: example.com, env: ops-main, serviceszone: services.example.org }\n',
      'platform.serviceszone "services.example.org" is neither example.com nor a name below it',
    ],
    ['no environment', 'platform: { basedomain: example.com }\n', 'platform.env is missing'],
    [
      'an environment that is none',
      'platform: { basedomain: example.com, env: ops }\n',
      'platform.env "ops" is no <tenant>-<env>',
    ],
    ['no domain', 'platform: { env: ops-main }\n', 'platform.basedomain is missing'],
    ['no fields', 'platform: {}\n', 'platform.basedomain is missing'],
  ])('a platform block with %s', async (_, project, message) => {
    const failure = await refusal(IP, { project });
    expect(failure.code).toBe('CONFIG_INVALID');
    expect(failure.message).toContain(message);
  });

  it.each([
    ['1api', '1api', 'is no name'],
    ['Api', 'Api', 'is no name'],
    ['api.x', 'api.x', 'is no name'],
    ['of 64 characters', 'a'.repeat(64), 'has more than 63 characters'],
    ['of 63 with the tenant and a hyphen', 'a'.repeat(59), 'have more than 63 characters together'],
    ['of 100 KB', 'a'.repeat(100 * 1024), '(102400 characters) has more than 63 characters'],
  ])('the service %s', async (_, service, message) => {
    const failure = await refusal(IP, {}, service);
    expect(failure.code).toBe('INVALID_SERVICE');
    expect(failure.message).toContain(message);
    expect(failure.message.length).toBeLessThan(250);
  });

  describe('a token file that', () => {
    async function withToken(prepare: (path: string) => Promise<unknown>, mode?: number) {
      const { expose, calls, dns01 } = await start();
      const flags = await dns01(mode);
      await prepare(flags[1] ?? '');
      const made = await expose(...IP, ...flags, '--json');
      expect([made.code, await calls()]).toEqual([1, []]);
      expect(made.stdout).not.toContain(TOKEN);
      return made.json();
    }

    it.each(['', ' \n', 'one\ntwo\n', 'a\0b'])('holds %j', async (text) => {
      expect(await withToken((path) => writeFile(path, text))).toMatchObject({
        code: 'DNS01_TOKEN_UNREADABLE',
        message: expect.stringContaining('does not hold one line of text'),
      });
    });
  });

  describe('a kubectl that', () => {
    it.each([
      ['{"clientVersion":{"gitVersion":"v1.19.16"}}', 'kubectl is v1.19.16; 1.20 and newer are supported.'],
      ['', 'kubectl is an unknown version; 1.20 and newer are supported.'],
    ])('is too old: %s', async (stdout, message) => {
      const { expose, answer, calls } = await start();
      await answer({ when: /kubectl version/, stdout });
      expect((await expose(...IP, '--json')).json()).toMatchObject({ code: 'KUBECTL_UNSUPPORTED', message });
      expect(await calls()).toEqual([]);
    });

    it('hangs', async () => {
      const { expose, answer, calls } = await start();
      await answer({ when: /kubectl version/, hangs: true });
      expect((await expose(...IP, '--json')).json()).toMatchObject({ code: 'CLUSTER_TIMED_OUT' });
      expect(await calls()).toEqual([]);
    });
  });
});
