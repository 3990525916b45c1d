import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { clusterPrograms } from '../black-box/cluster-programs';
import { startIdentityProvider } from '../black-box/identity-provider';
import { builtPlat, ended, Machine, said } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';

const AUDIENCE = 'https://api.example.com';
const VIEW = '{"current-context":"kind","contexts":[{"name":"kind"}]}';

describe('plat init on a terminal', () => {
  beforeAll(() =>
    ['info', 'warn'].forEach((level) => jest.spyOn(console, level as 'info').mockReturnValue()),
  );

  /** A person's machine with a terminal, at a provider that rotates tokens and has no exchange. */
  async function setUp() {
    const [machine, platform, provider] = await Promise.all([
      Machine.create(),
      PlatformDouble.start(),
      startIdentityProvider(AUDIENCE),
    ]);
    const body = { issuer: provider.issuer, apiUrl: AUDIENCE, cliClientId: 'plat-cli' };
    platform.answer('GET /v1/platform', { body });
    await machine.plat(['cloud', 'init', 'work', '--api-url', platform.url]);
    const programs = await clusterPrograms(machine.home);
    await programs.answer([{ when: /config view/, stdout: VIEW }]);
    const plat = await builtPlat();
    /** Starts a command on a pseudo terminal, whose output is that of stderr as well. */
    const onTerminal = (...args: string[]) => {
      const command = [process.execPath, plat, ...args].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        cwd: machine.home,
        env: { PATH: programs.path, HOME: machine.home, TERM: 'dumb' },
      });
      return Object.assign(child, { stderr: child.stdout });
    };
    const dispose = () => Promise.all([machine.remove(), platform.close(), provider.close()]);
    return { machine, onTerminal, provider, dispose };
  }

  it('asks before it replaces a value: Ctrl-C and no change nothing, yes does', async () => {
    const { machine, onTerminal, dispose } = await setUp();
    const first = onTerminal('init', 'acme', 'dev', '--type', 'runtime', '--no-deploy');
    expect((await ended(first)).code).toBe(0);
    const file = join(machine.configFolder, 'acme', 'dev', 'config.yaml');
    const text = await readFile(file, 'utf8');
    const answerPrompt = async (keys: string) => {
      const child = onTerminal('init', 'acme', 'dev', '--type', 'local-agent', '--no-deploy');
      const end = ended(child);
      await said(child, /Change type: runtime -> local-agent\? \[y\/N\]/);
      child.stdin.write(keys);
      return end;
    };
    expect(await answerPrompt('\u0003')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('INTERRUPTED'),
    });
    expect(await answerPrompt('n\r')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('OVERWRITE_REFUSED'),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await answerPrompt('y\r')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(text.replace('runtime', 'local-agent'));
    await writeFile(file, text);
    await dispose();
  });

  it('shows who would commit in the pod, and takes another answer', async () => {
    const { machine, onTerminal, dispose } = await setUp();
    await writeFile(join(machine.home, '.gitconfig'), '[user]\n\tname = Al\n\temail = al@example.com\n');
    const config = () => readFile(join(machine.configFolder, 'acme', 'dev', 'config.yaml'), 'utf8');
    const child = onTerminal('init', 'acme', 'dev', '--no-deploy');
    const end = ended(child);
    await said(child, /git says that you are Al <al@example\.com>\. Do the commits of the pod name you so\?/);
    const asked = said(child, /Who commits there/);
    child.stdin?.write('n\n');
    await asked;
    child.stdin?.write('Bob <bob@example.com>\n');
    expect((await end).stdout).toContain('Commits in its pod are by Bob <bob@example.com>.');
    expect(await config()).toMatch(/git:\n {2}name: Bob\n {2}email: bob@example\.com\n/);
    await dispose();
  });
});
