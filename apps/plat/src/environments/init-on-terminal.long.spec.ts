import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn, Visitor } from '@plat/testing';
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

  async function signIn(child: ChildProcess, name: string): Promise<void> {
    const [, address, code] = await said(child, /Open (\S+) and enter the code (\S+)/);
    const visitor = new Visitor();
    const confirmation = await visitor.submit(await visitor.open(address!), { user_code: code!.trim() });
    const page = await visitor.submit(confirmation);
    await visitor.submit(await visitor.submit(page, { login: name, password: 'any' }));
  }

  /** Renews a session as the pod does. @returns the next refresh token; undefined if the provider refuses */
  async function renew(issuer: string, refreshToken: string): Promise<string | undefined> {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'plat-cli',
      refresh_token: refreshToken,
      resource: AUDIENCE,
    });
    const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
    return ((await answer.json()) as { refresh_token?: string }).refresh_token;
  }

  /** When the host's session expires; undefined if it is signed out. */
  const host = async (machine: Machine) => {
    const run = await machine.plat(['cloud', 'status', '--all', '--json']);
    return run.json<Array<{ expiresAt?: string }>>()[0]?.expiresAt;
  };

  it('gets a session of its own, which the person confirms, and the host stays signed in', async () => {
    const { machine, onTerminal, provider, dispose } = await setUp();
    const login = await machine.start(['cloud', 'login']);
    const loggedIn = ended(login);
    await signIn(login, 'alice');
    await loggedIn;

    const child = onTerminal('init', 'acme', 'dev', '--no-deploy');
    const end = ended(child);
    await signIn(child, 'alice');
    expect((await end).code).toBe(0);
    const path = join(machine.configFolder, 'acme', 'dev', 'session.json');
    const session = JSON.parse(await readFile(path, 'utf8')) as { refreshToken: string; subject: string };
    expect(session).toMatchObject({ subject: 'alice' });
    expect(session).not.toHaveProperty('isShared');
    // The pod renews its session, and another holder of its first token would now end it. The host's is not concerned.
    const renewed = await renew(provider.issuer, session.refreshToken);
    expect(renewed).toEqual(expect.any(String));
    await machine.plat(['cloud', 'status']);
    expect(await host(machine)).toEqual(expect.any(String));
    expect(await renew(provider.issuer, renewed!)).toEqual(expect.any(String));
    await dispose();
  });

  it('refuses the sign-in of another person', async () => {
    const { machine, onTerminal, dispose } = await setUp();
    const login = await machine.start(['cloud', 'login']);
    const loggedIn = ended(login);
    await signIn(login, 'alice');
    await loggedIn;
    const child = onTerminal('init', 'acme', 'dev', '--no-deploy');
    const end = ended(child);
    await signIn(child, 'bob');
    expect((await end).stdout).toContain('bob has signed in for the environment, but alice is signed in');
    await dispose();
  });
});
