import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
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

  it('a project without a platform block', async () => {
    const failure = await refusal(IP, { project: undefined });
    expect(failure).toMatchObject({ code: 'PLATFORM_NOT_CONFIGURED' });
    expect(failure.details.next).toContain('.plat/config.yaml');
  });

  it('a file that is no YAML', async () => {
    expect(await refusal(IP, { project: 'platform: [\n' })).toMatchObject({ code: 'CONFIG_UNREADABLE' });
  });

  it.each([
    ['no --ip', [], '--ip is missing'],
    ['an IPv6 address', ['--ip', '2001:db8::1'], '--ip "2001:db8::1" is no IPv4 address'],
    ['a name for the address', ['--ip', 'edge.example.com'], '--ip "edge.example.com" is no IPv4 address'],
    ['a loopback address', ['--ip', '127.0.0.1'], '--ip "127.0.0.1" is a loopback address'],
    ['a link-local address', ['--ip', '169.254.169.254'], '--ip "169.254.169.254" is a link-local address'],
    ['port 0', [...IP, '--port', '0'], '--port "0" is no port from 1 to 65535'],
    ['port 65536', [...IP, '--port', '65536'], '--port "65536" is no port from 1 to 65535'],
    ['a port that is no number', [...IP, '--port', 'http'], '--port "http" is no port'],
    [
      '--services-zone alone',
      [...IP, '--services-zone', 'lab.example.com'],
      '--platform-namespace is missing: --services-zone is given, and they come together',
    ],
    [
      '--platform-namespace alone',
      [...IP, '--platform-namespace', 'dns'],
      '--services-zone is missing: --platform-namespace is given, and they come together',
    ],
    [
      'a broker address with a password',
      [...IP, '--dns01-broker-url', 'https://a:s3cret@b'],
      '--dns01-broker-url is no',
    ],
  ])('%s', async (_, args, message) => {
    const failure = await refusal(args);
    expect(failure.code).toBe('INVALID_FLAG');
    expect(failure.message).toContain(message);
    expect(JSON.stringify(failure)).not.toContain('s3cret');
  });

  it('names that are none, before anything else', async () => {
    const { run } = await start({ project: undefined });
    const made = await run(['expose', 'Acme', 'dev', '1api', '--json', '--skip-if-unconfigured']);
    expect(made.json()).toMatchObject({ code: 'INVALID_NAME' });
    const service = await run(['expose', 'acme', 'dev', '1api', '--json', '--skip-if-unconfigured']);
    expect(service.json()).toMatchObject({ code: 'INVALID_SERVICE' });
  });

  it('one thing after the other, in the order of Rule H12', async () => {
    const wrong = [
      '--services-zone',
      'x.example',
      '--ip',
      '::1',
      '--port',
      '0',
      '--dns01-token-file',
      '/nope',
    ];
    const config = 'type: runtime\n';
    const stand = await start({ config });
    const code = async (service: string, args: string[]) => {
      const { message } = (await stand.run(['expose', 'acme', 'dev', service, '--json', ...args])).json<{
        message: string;
      }>();
      return message;
    };
    expect(await code('1api', wrong)).toContain('service "1api"');
    expect(await code('api', wrong)).toContain('--services-zone');
    expect(await code('api', wrong.slice(2))).toContain('--ip');
    expect(await code('api', [...IP, ...wrong.slice(4)])).toContain('--port');
    expect(await code('api', [...IP, ...wrong.slice(6)])).toContain('names no context');
    const configured = 'type: runtime\nkubernetesContext: kind-one\n';
    await stand.write(join(stand.machine.configFolder, 'acme', 'dev', 'config.yaml'), configured);
    expect(await code('api', [...IP, ...wrong.slice(6)])).toContain('There is no file /nope');
  });

  it('an environment that is not configured', async () => {
    const { run, calls } = await start();
    const made = await run(['expose', 'acme', 'prod', 'mcp', ...IP, '--json']);
    expect(made.json()).toMatchObject({ code: 'NOT_CONFIGURED' });
    expect(await calls()).toEqual([]);
  });

  it('a target without a context, and one whose context does not exist', async () => {
    expect(await refusal(IP, { config: 'type: runtime\n' })).toMatchObject({
      code: 'CONTEXT_NOT_CONFIGURED',
      details: {
        next: 'plat config set kubernetesContext <context> --tenant acme --environment dev, then repeat the command',
      },
    });
    const config = 'type: runtime\nkubernetesContext: kind-tree\n';
    expect(await refusal(IP, { config })).toMatchObject({ code: 'CONTEXT_NOT_FOUND' });
    expect(await refusal(IP, { platformConfig: config })).toMatchObject({ code: 'CONTEXT_NOT_FOUND' });
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

    it('is missing', async () => {
      expect(await withToken((path) => rm(path))).toMatchObject({
        code: 'DNS01_TOKEN_UNREADABLE',
        message: expect.stringContaining('There is no file'),
      });
    });

    it('is a folder', async () => {
      const made = await withToken(async (path) => {
        await rm(path);
        await mkdir(path);
      });
      expect(made).toMatchObject({ message: expect.stringContaining('is not a file') });
    });

    it('is a named pipe that no one writes to', async () => {
      const made = await withToken(async (path) => {
        await rm(path);
        await promisify(execFile)('mkfifo', ['-m', '600', path]);
      });
      expect(made).toMatchObject({ message: expect.stringContaining('is not a file') });
    });

    it('has more than 64 KiB', async () => {
      const made = await withToken((path) => writeFile(path, 'a'.repeat(64 * 1024 + 1)));
      expect(made).toMatchObject({ message: expect.stringContaining('more than 65536 bytes') });
    });

    it.each([0o644, 0o640, 0o604])('others may read (%o)', async (mode) => {
      expect(await withToken(() => Promise.resolve(), mode)).toMatchObject({
        code: 'DNS01_TOKEN_EXPOSED',
        details: { next: expect.stringMatching(/^chmod 600 /) },
      });
    });
  });

  describe('a kubectl that', () => {
    it('is missing', async () => {
      const { run, machine } = await start();
      const made = await run(['expose', 'acme', 'dev', 'mcp', ...IP, '--json'], {
        env: { PATH: join(machine.home, 'empty') },
      });
      expect(made.json()).toMatchObject({ code: 'PROGRAM_MISSING', message: 'kubectl is not on the PATH.' });
    });

    it('answers for the kubeconfig something that is no JSON', async () => {
      const { expose, answer, calls } = await start();
      await answer({ when: /config view/, stdout: 'a wrapper says hello' });
      expect((await expose(...IP, '--json')).json()).toMatchObject({ code: 'KUBECTL_FAILED' });
      expect(await calls()).toEqual([]);
    });
  });
});
