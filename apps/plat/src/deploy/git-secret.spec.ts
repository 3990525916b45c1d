import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EnvConfig } from '@plat/environments';
import { execFile, execFileSync } from '@plat/testing';
import { type ClusterPrograms, clusterPrograms } from '../black-box/cluster-programs';
import { Machine, WITHOUT_INTERNET } from '../black-box/plat-process';
import { gitSecret } from './git-secret';

const NAME = { tenant: 'acme', environment: 'dev' };
const HTTPS = 'https://git.example.com:8443/acme/shop.git';
const TOKEN = 'token-of-the-person-0123456789';
const signal = new AbortController().signal;

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-git-secret-'))));
afterEach(() => rm(folder, { recursive: true }));

const secretOf = (config: Partial<EnvConfig>) => gitSecret(NAME, { type: 'runtime', ...config }, signal);
const dataOf = async (config: Partial<EnvConfig>) => (await (await secretOf(config))!.read()).data;

async function file(text: string, mode = 0o600): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

async function sshKey(passphrase = '', type = 'ed25519'): Promise<string> {
  const path = join(folder, `key-${type}`);
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-f', path]);
  return path;
}

/** Has git read the settings of a secret. */
async function settings(config: string, ...args: string[]): Promise<string> {
  const path = join(folder, 'settings');
  await writeFile(path, config);
  const { stdout } = await promisify(execFile)('git', ['config', '--file', path, ...args]);
  return stdout.trim();
}

describe('the secret with what git in the pod needs, Rule H7,', () => {
  it('is left out if the environment names neither a person nor a credential', async () => {
    expect(await secretOf({})).toBeUndefined();
    expect(await secretOf({ git: {} })).toBeUndefined();
  });

  it('names the person, whatever signs stand in the name', async () => {
    const name = String.raw`Al "the \ boss" Doe; # 1`;
    const { config, ...rest } = await dataOf({ git: { name, email: 'al@example.com' } });
    expect(rest).toEqual({});
    expect(await settings(config!, '--get', 'user.name')).toBe(name);
    expect(await settings(config!, '--get', 'user.email')).toBe('al@example.com');
  });

  it('gives the token of a file to the host of the remote alone', async () => {
    const git = { credential: { tokenFile: await file(`${TOKEN}\n`) } };
    const secret = await secretOf({ git, repoUrl: HTTPS });
    expect(secret).toMatchObject({ name: 'acme-runtime-git', keys: ['config', 'credential'] });
    const { data, secrets } = await secret!.read();
    expect(data.credential).toBe(`username=x-access-token\npassword=${TOKEN}\n`);
    expect(secrets).toContain(TOKEN);
    expect(data.config).not.toContain(TOKEN);
    const helper = (url: string) =>
      settings(data.config!, '--get-urlmatch', 'credential.helper', url).catch(() => 'none');
    expect(await helper(HTTPS)).toContain('cat /run/plat/git/credential');
    expect(await helper('https://git.example.com/acme/shop.git')).toBe('none');
    expect(await helper('https://elsewhere.example.com:8443/x')).toBe('none');
  });

  it('gives a token the user name that a forge wants', async () => {
    const credential = { tokenFile: await file(TOKEN), user: 'oauth2' };
    expect((await dataOf({ git: { credential }, repoUrl: HTTPS })).credential).toContain('username=oauth2\n');
  });

  it('asks the credential helper for the remote, and never a person', async () => {
    const asked = join(folder, 'asked');
    const helper = `!f() { cat > ${asked}; echo username=al; echo password=${TOKEN}; }; f`;
    const { credential } = await dataOf({ git: { credential: { helper } }, repoUrl: HTTPS });
    expect(credential).toBe(`username=al\npassword=${TOKEN}\n`);
    expect(await readFile(asked, 'utf8')).toMatch(/^protocol=https\nhost=git\.example\.com:8443\n/);
    const none = secretOf({ git: { credential: { helper: '!true' } }, repoUrl: HTTPS });
    await expect((await none)!.read()).rejects.toMatchObject({
      code: 'GIT_CREDENTIAL_UNREADABLE',
      message: 'The credential helper has no sign-in for git.example.com:8443.',
    });
  });

  it.each(['git@git.example.com:acme/shop.git', 'ssh://git@git.example.com:2222/acme/shop.git'])(
    'gives an SSH key without a passphrase to %s, and no other one is tried',
    async (repoUrl) => {
      const sshKeyFile = await sshKey();
      const data = await dataOf({ git: { credential: { sshKeyFile } }, repoUrl });
      expect(data['ssh-key']).toBe(await readFile(sshKeyFile, 'utf8'));
      const command = await settings(data.config!, '--get', 'core.sshCommand');
      expect(command).toContain('ssh -i /run/plat/git/ssh-key -o IdentitiesOnly=yes -o BatchMode=yes');
    },
  );

  it('takes no key with a passphrase: no one could type it in the pod', async () => {
    const git = { credential: { sshKeyFile: await sshKey('secret') } };
    const secret = await secretOf({ git, repoUrl: 'git@git.example.com:a/b.git' });
    await expect(secret!.read()).rejects.toMatchObject({
      code: 'GIT_CREDENTIAL_UNREADABLE',
      message: expect.stringContaining('has a passphrase'),
    });
  });

  it('takes no file that others may read, and no failure repeats what is in it', async () => {
    const credential = { tokenFile: await file(TOKEN, 0o644) };
    const exposed = await secretOf({ git: { credential }, repoUrl: HTTPS });
    await expect(exposed!.read()).rejects.toMatchObject({ code: 'GIT_CREDENTIAL_EXPOSED' });
    await file(`${TOKEN}\nand more`);
    const failure: Error = await (await secretOf({ git: { credential }, repoUrl: HTTPS }))!.read().then(
      () => new Error('read'),
      (error: Error) => error,
    );
    expect(failure).toMatchObject({ code: 'GIT_CREDENTIAL_UNREADABLE' });
    expect(failure.message).not.toContain(TOKEN);
  });

  it.each([
    ['a token over ssh', { tokenFile: '/token' }, 'git@git.example.com:a/b.git', 'over https alone'],
    ['a token over plain http', { tokenFile: '/token' }, 'http://git.example.com/a.git', 'over https alone'],
    ['a token without a remote', { tokenFile: '/token' }, undefined, 'the environment has no repoUrl'],
    ['an SSH key over https', { sshKeyFile: '/key' }, HTTPS, 'over ssh alone'],
  ])('%s is refused before anything is read', async (_kind, credential, repoUrl, message) => {
    await expect(secretOf({ git: { credential }, repoUrl })).rejects.toMatchObject({
      code: 'GIT_CREDENTIAL_UNFIT',
      message: expect.stringContaining(message),
    });
  });
});

describe('plat deploy', () => {
  it('writes the secret by stdin; its token is in no argument, plan, output or trace', async () => {
    const machine = await Machine.create();
    const programs: ClusterPrograms = await clusterPrograms(machine.home);
    const view = '{"current-context":"kind","contexts":[{"name":"kind"}]}';
    await programs.answer([
      { when: /config view/, stdout: view },
      { when: /^helm version/, stdout: 'v3.19.0\n' },
      { when: /apply/, stdout: '7' },
    ]);
    const tokenFile = await file(TOKEN);
    const environment = join(machine.configFolder, 'acme', 'dev');
    await mkdir(environment, { recursive: true });
    const git = { name: 'Al', email: 'al@example.com', credential: { tokenFile } };
    const config = { type: 'runtime', repoUrl: HTTPS, git };
    await writeFile(join(environment, 'config.yaml'), JSON.stringify(config));
    const deploy = (...args: string[]) =>
      machine.plat(['deploy', 'acme', 'dev', ...args], {
        env: { PATH: programs.path, ...WITHOUT_INTERNET },
      });
    const plan = await deploy('--dry-run');
    expect(plan.stdout).toContain('# stdin: Secret acme-runtime-git with config, credential');
    const run = await deploy('--json', '--debug');
    expect(run.json()).toMatchObject({ secrets: ['acme-runtime-mcp', 'acme-runtime-git'] });
    const calls = await programs.calls();
    const written = calls.find(({ input }) => input.includes('acme-runtime-git'));
    const { data } = JSON.parse(written?.input ?? '{}') as { data: Record<string, string> };
    expect(Buffer.from(data.credential ?? '', 'base64').toString()).toContain(`password=${TOKEN}\n`);
    const encoded = Buffer.from(TOKEN).toString('base64').replace(/=*$/, '').slice(0, -2);
    const upgrade = calls.find(({ argv }) => argv.includes('upgrade'))!;
    expect(upgrade.input).toContain('"secretVersions":{"mcp":"7","git":"7"}');
    const argv = calls.flatMap((call) => call.argv).join(' ');
    for (const secret of [TOKEN, encoded]) {
      expect(argv + upgrade.input + plan.stdout + plan.stderr + run.stdout + run.stderr).not.toContain(
        secret,
      );
    }
    await machine.remove();
  });
});
