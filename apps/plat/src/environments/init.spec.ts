import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { type ClusterPrograms, clusterPrograms } from '../black-box/cluster-programs';
import { GateCheckout } from '../black-box/gate-checkout';
import { type PlatOptions, WITHOUT_INTERNET } from '../black-box/plat-process';
import { REFRESH_TOKEN, signedInMachine } from '../black-box/signed-in';

const VIEW = JSON.stringify({
  'current-context': 'kind-one',
  contexts: [{ name: 'kind-one' }, { name: 'kind-two' }],
});
const ID = '0198f2a4-0000-7000-8000-000000000001';
const OTHER_ID = '0198f2a4-0000-7000-8000-000000000002';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The features of the double of the identity provider. */
interface Provider {
  exchange?: boolean;
  rotates?: boolean;
}

async function setUp({ exchange = true, rotates = true }: Provider = {}) {
  const { machine, platform, sessionPath, dispose } = await signedInMachine();
  const programs: ClusterPrograms = await clusterPrograms(machine.home);
  await programs.answer([
    { when: /config view/, stdout: VIEW },
    { when: /^helm version/, stdout: 'v3.18.1\n' },
  ]);
  platform.answer('GET /.well-known/openid-configuration', {
    body: {
      issuer: platform.url,
      token_endpoint: `${platform.url}/token`,
      grant_types_supported: ['refresh_token', ...(exchange ? [EXCHANGE] : [])],
    },
  });
  platform.answer('POST /token', ({ body }) => {
    const given = body?.grant_type === EXCHANGE ? 'refresh-of-pod' : rotates ? 'refresh-2' : undefined;
    const answer = { access_token: 'access-1', token_type: 'bearer', expires_in: 3600 };
    return { body: given === undefined ? answer : { ...answer, refresh_token: given } };
  });
  platform.answer('GET /v1/environments', { body: [] });
  platform.answer('POST /v1/environments', ({ body }) => ({
    body: { environmentId: body?.name === 'dev' ? ID : OTHER_ID, name: body?.name },
  }));
  platform.answer(`GET /v1/environments/${ID}`, { body: { environmentId: ID, name: 'dev' } });
  const read = (path: string) => readFile(join(machine.configFolder, path), 'utf8');
  const run = (args: string[], options: PlatOptions = {}) =>
    machine.plat(['init', ...args, '--json'], {
      ...options,
      env: { PATH: programs.path, ...WITHOUT_INTERNET, ...options.env },
    });
  return {
    machine,
    platform,
    programs,
    sessionPath,
    read,
    config: async (path: string) => parse(await read(`${path}config.yaml`)) as Record<string, unknown>,
    init: (...args: string[]) => run(args),
    run,
    async write(path: string, text: string) {
      const file = join(machine.configFolder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    dispose,
  };
}
type Bundle = Awaited<ReturnType<typeof setUp>>;

let bundle: Bundle;
const start = async (provider?: Provider) => (bundle = await setUp(provider));
afterEach(() => bundle.dispose());

describe('plat init', () => {
  it('writes the files, provisions the session, registers the environment and deploys it. Decision H6', async () => {
    const { init, config, read, platform, programs, machine } = await start();
    const run = await init('acme', 'dev', '--container-registry', 'registry.example.com=build,deploy');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.json()).toMatchObject({
      tenant: 'acme',
      environment: 'dev',
      namespace: 'acme-dev',
      created: true,
      type: 'remote-agent',
      kubernetesContext: 'kind-one',
      ports: { start: 17_000, mcp: 17_000, sshd: 17_022, api: 17_033 },
      alias: 'work',
      session: { provisioned: true, by: 'exchanged', alias: 'work' },
      registration: { registered: true, environmentId: ID },
      deployed: {
        namespace: 'acme-dev',
        release: 'acme-runtime',
        secrets: ['acme-runtime-session', 'acme-runtime-mcp'],
      },
    });
    expect(await config('acme/dev/')).toEqual({
      type: 'remote-agent',
      kubernetesContext: 'kind-one',
      alias: 'work',
      localPortRangeStart: 17_000,
      containerRegistries: [{ registry: 'registry.example.com', roles: ['build', 'deploy'] }],
      environmentId: ID,
    });
    expect(await config('acme/')).toEqual({ defaultEnvironment: 'dev' });
    expect(await config('')).toMatchObject({ defaultTenant: 'acme' });
    expect(JSON.parse(await read('acme/dev/session.json'))).toMatchObject({
      refreshToken: 'refresh-of-pod',
    });
    const session = await stat(join(machine.configFolder, 'acme/dev/session.json'));
    expect(session.mode & 0o777).toBe(0o600);
    expect(platform.to('POST /v1/environments').map(({ body }) => body)).toEqual([
      { name: 'dev', type: 'remote-agent' },
    ]);
    const calls = await programs.calls();
    const upgrade = calls.find((call) => call.argv.includes('upgrade'));
    expect(upgrade?.argv.slice(0, 5)).toEqual(['helm', '--kube-context', 'kind-one', 'upgrade', '--install']);
    const argv = calls.flatMap((call) => call.argv).join(' ');
    expect(argv + run.stdout + run.stderr).not.toContain('refresh-of-pod');
  });

  it('again: what is given changes, what is not stays, and the session is kept', async () => {
    const { init, config, platform, write, read } = await start();
    await init('acme', 'dev', '--runtime-version', '1.2.3', '--no-deploy');
    await write('acme/dev/config.yaml', `# mine\n${await read('acme/dev/config.yaml')}future: 1\n`);
    const run = await init('acme', 'dev', '--kubernetes-context', 'kind-two', '--yes', '--no-deploy');
    expect(run.json()).toMatchObject({
      created: false,
      changed: ['kubernetesContext'],
      session: { provisioned: true, by: 'kept' },
      registration: { registered: true, environmentId: ID },
    });
    expect(await config('acme/dev/')).toMatchObject({
      kubernetesContext: 'kind-two',
      runtimeVersion: '1.2.3',
      future: 1,
    });
    expect(await read('acme/dev/config.yaml')).toMatch(/^# mine\n/);
    expect(platform.to('POST /token')).toHaveLength(1);
    expect(platform.to('POST /v1/environments')).toHaveLength(1);
    expect((await init('acme', 'dev', '--renew-session', '--no-deploy')).json()).toMatchObject({
      changed: [],
      session: { by: 'exchanged' },
    });
  });

  it('ends with what became of the pod, and the command to type next', async () => {
    const { machine, programs } = await start();
    const last = async (...args: string[]) => {
      const run = await machine.plat(['init', 'acme', 'dev', ...args], { env: { PATH: programs.path } });
      return run.stdout.trimEnd().split('\n').at(-1);
    };
    expect(await last('--no-deploy')).toBe('It has no pod of this run. Next: plat deploy acme dev');
    expect(await last()).toBe(
      'The cluster starts its pod. Next, to wait for it and open a shell: plat open acme dev',
    );
    await machine.plat(['config', 'set', 'stopped', 'true', '--tenant', 'acme', '--environment', 'dev']);
    expect(await last()).toBe('It is stopped: its pod does not run. Next, to start it: plat open acme dev');
  });

  it('names the unknown keys of the file, and keeps them. Decision H4', async () => {
    const { init, read, write } = await start();
    await init('acme', 'dev', '--no-deploy');
    await write(
      'acme/dev/config.yaml',
      `${await read('acme/dev/config.yaml')}repoURL: git.example.com/shop\n`,
    );
    for (const flag of ['--no-deploy', '--dry-run']) {
      const run = await init('acme', 'dev', '--runtime-version', '1.2.3', flag);
      expect([run.code, run.stderr]).toEqual([
        0,
        expect.stringMatching(/config\.yaml:\d+: repoURL is no known field \(kept\)\n/),
      ]);
    }
  });

  it('without a terminal replaces no value unless --yes is given', async () => {
    const { init, config } = await start();
    await init('acme', 'dev', '--type', 'runtime', '--no-deploy');
    const run = await init('acme', 'dev', '--type', 'local-agent', '--no-deploy');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'OVERWRITE_REFUSED',
      message: 'The environment exists with other values: type: runtime -> local-agent.',
      details: { next: 'repeat the command with --yes to change them' },
    });
    expect(await config('acme/dev/')).toMatchObject({ type: 'runtime' });
  });

  describe('names who commits in the pod', () => {
    const gitConfig = '[user]\n\tname = Al Doe\n\temail = al@example.com\n';

    it("as the person's git does, and shows it", async () => {
      const { init, config, machine } = await start();
      await writeFile(join(machine.home, '.gitconfig'), gitConfig);
      expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
        git: { name: 'Al Doe', email: 'al@example.com', from: 'git' },
      });
      expect(await config('acme/dev/')).toMatchObject({ git: { name: 'Al Doe', email: 'al@example.com' } });
      // Again: nothing is looked for, and nothing changes.
      await writeFile(join(machine.home, '.gitconfig'), gitConfig.replace('Al Doe', 'Bob'));
      expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
        changed: [],
        git: { name: 'Al Doe' },
      });
    });

    it('as the claims of the access token do, before git', async () => {
      const { init, machine, sessionPath } = await start();
      await writeFile(join(machine.home, '.gitconfig'), gitConfig);
      const claims = { name: 'Alice', email: 'alice@example.com' };
      const accessToken = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
      const session = JSON.parse(await readFile(sessionPath, 'utf8')) as object;
      await writeFile(sessionPath, JSON.stringify({ ...session, accessToken }));
      expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
        git: { ...claims, from: 'the sign-in' },
      });
    });

    it('as --git-identity does, beside the credential', async () => {
      const { init, config } = await start();
      const flags = [
        '--git-identity',
        'Alice <alice@example.com>',
        '--git-credential',
        'ssh-key=/home/me/key',
      ];
      const run = await init('acme', 'dev', '--no-deploy', ...flags);
      const git = { name: 'Alice', email: 'alice@example.com' };
      expect(run.json()).toMatchObject({ git: { ...git, credential: 'ssh-key' } });
      expect(await config('acme/dev/')).toMatchObject({
        git: { ...git, credential: { sshKeyFile: '/home/me/key' } },
      });
      expect((await init('acme', 'dev', '--no-deploy', '--git-identity', 'Alice')).json()).toMatchObject({
        code: 'INVALID_IDENTITY',
      });
    });

    it('or warns that nobody does, if the pod clones a repository', async () => {
      const { init } = await start();
      const flags = ['--repo-url', 'https://git.example.com/a/b.git', '--mutable-source', '--no-deploy'];
      expect((await init('acme', 'dev', ...flags)).stderr).toContain(
        "warning: nobody commits in its pod, so no drive works there\nnext: plat init acme dev --git-identity '<name> <<address>>'",
      );
    });
  });

  it("takes the credential of the kind that the project's own file names, and asks for it", async () => {
    const { machine, programs } = await start();
    const { folder } = await GateCheckout.create(machine);
    await mkdir(join(folder, '.plat'));
    await writeFile(join(folder, '.plat', 'config.yaml'), 'git: { credential: ssh-key }\n');
    const init = (...args: string[]) =>
      machine.plat(
        [
          'init',
          'acme',
          'dev',
          '--repo-url',
          'git@git.example.com:a/b.git',
          '--mutable-source',
          '--no-deploy',
          ...args,
        ],
        { cwd: folder, env: { PATH: programs.path } },
      );
    const refused = await init('--git-credential', 'token-file=/home/me/token');
    expect(refused.stderr).toContain('GIT_CREDENTIAL_UNFIT');
    expect(refused.stderr).toContain('sign in to the remote by ssh-key, not by token-file');
    expect((await init()).stderr).toContain('plat init acme dev --git-credential ssh-key=<file>');
    expect((await init('--yes', '--git-credential', 'ssh-key=/home/me/key')).stderr).not.toContain(
      'credential',
    );
  });

  it('with --dry-run makes every check, prints the steps and writes nothing', async () => {
    const { init, read, platform, programs } = await start();
    const run = await init('acme', 'dev', '--dry-run');
    const { plan } = run.json<{ plan: string[] }>();
    expect(plan).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/acme\/dev\/config\.yaml: localPortRangeStart: 17000$/),
        expect.stringMatching(/acme\/dev\/session\.json: a session with work, from http/),
        `platform: POST ${platform.url}/v1/environments`,
        expect.stringMatching(/^helm --kube-context kind-one upgrade --install acme-runtime /),
      ]),
    );
    await expect(read('acme/dev/config.yaml')).rejects.toThrow('ENOENT');
    expect(platform.to('POST /token')).toEqual([]);
    const refused = await init('acme', 'dev', '--dry-run', '--kubernetes-context', 'nope');
    expect(refused.json()).toMatchObject({ code: 'CONTEXT_NOT_FOUND' });
    expect((await programs.calls()).every(({ argv }) => /view|version/.test(argv.join(' ')))).toBe(true);
  });

  it('two at once get two blocks of ports, and the same environment one', async () => {
    const { init, config } = await start();
    const runs = await Promise.all([
      init('acme', 'dev', '--no-deploy'),
      init('acme', 'test', '--no-deploy'),
      init('acme', 'test', '--no-deploy'),
    ]);
    const waits = /^Waiting for the process \d+, which provisions the same session …\n/;
    expect(runs.map(({ code, stderr }) => [code, stderr.replace(waits, '')])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    const starts = await Promise.all(
      ['acme/dev/', 'acme/test/'].map(async (path) => (await config(path)).localPortRangeStart),
    );
    expect([...starts].sort()).toEqual([17_000, 17_100]);
    expect(runs[1]!.json<{ ports: object }>().ports).toEqual(runs[2]!.json<{ ports: object }>().ports);
  });

  it('that failed at the deploy is mended by the same command', async () => {
    const { init, programs } = await start();
    await programs.answer([
      { when: /config view/, stdout: VIEW },
      { when: /^helm version/, stdout: 'v3.18.1\n' },
      { when: /^helm .*upgrade/, code: 1, stderr: 'Error: chart failed' },
    ]);
    expect((await init('acme', 'dev')).json()).toMatchObject({ code: 'HELM_FAILED' });
    await programs.answer([
      { when: /config view/, stdout: VIEW },
      { when: /^helm version/, stdout: 'v3.18.1\n' },
    ]);
    const run = await init('acme', 'dev');
    expect(run.json()).toMatchObject({ changed: [], deployed: { release: 'acme-runtime' } });
  });
});

describe('the session of plat init', () => {
  it('is none on a machine without an alias, with what to do; the environment is made. Spec: Client, Authentication, rule 4', async () => {
    const { init, machine, read } = await start();
    await machine.plat(['cloud', 'remove', 'work']);
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'NO_PLATFORM_ALIAS' },
      registration: { registered: false, code: 'NO_PLATFORM_ALIAS' },
    });
    expect(run.stderr).toContain('next: plat cloud init <alias> --api-url <url>, then repeat the command');
    await expect(read('acme/dev/session.json')).rejects.toThrow('ENOENT');
  });

  it('is none on a machine that is signed out, and the same command mends it after the sign-in', async () => {
    const { init, machine } = await start();
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'SIGNED_OUT', next: 'plat cloud login --alias work' },
    });
  });

  it('never is the rotating token of this machine', async () => {
    const { init, machine, read } = await start({ exchange: false });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      session: {
        provisioned: false,
        code: 'SESSION_NEEDS_PERSON',
        next: 'repeat the command on a terminal',
      },
    });
    await expect(read('acme/dev/session.json')).rejects.toThrow('ENOENT');
    expect((await machine.plat(['cloud', 'status'])).stderr).not.toContain('SIGNED_OUT');
  });

  it('is shared, with a warning, at a provider that does not rotate', async () => {
    const { init, read } = await start({ exchange: false, rotates: false });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({ session: { provisioned: true, by: 'shared' } });
    expect(run.stderr).toContain('signing out here signs the environment out');
    expect(JSON.parse(await read('acme/dev/session.json'))).toMatchObject({
      refreshToken: REFRESH_TOKEN,
    });
  });

  it('that cannot be renewed fails the command, which deploys nothing and names the one that stays', async () => {
    const { init, machine, programs } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev', '--renew-session');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'SIGNED_OUT',
      message: 'The session is not renewed: Nobody is signed in to work. The earlier one, with work, stays.',
      details: { earlier: { alias: 'work' }, next: 'plat cloud login --alias work' },
    });
    expect((await programs.calls()).some(({ argv }) => argv.includes('upgrade'))).toBe(false);
  });

  it('that cannot be renewed for want of an alias fails the command', async () => {
    const { init, machine } = await start();
    await machine.plat(['cloud', 'remove', 'work']);
    const run = await init('acme', 'dev', '--renew-session', '--no-deploy');
    expect(run.json()).toMatchObject({ code: 'NO_PLATFORM_ALIAS' });
    expect(run.code).toBe(1);
  });

  it('with an earlier alias is reported and not deployed, if there is none with the new one', async () => {
    const { init, machine, platform, programs } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'init', 'other', '--api-url', platform.url]);
    const run = await init('acme', 'dev', '--alias', 'other', '--yes');
    expect(run.json()).toMatchObject({
      alias: 'other',
      session: { provisioned: false, code: 'SIGNED_OUT', earlier: { alias: 'work' } },
      deployed: { secrets: ['acme-runtime-mcp'] },
    });
    expect(run.stderr).toContain(
      'warning: no new session: Nobody is signed in to other. The earlier one, with work, stays.',
    );
    expect(run.stderr).toContain('acme-dev has a session with work, but its alias is other');
    const inputs = (await programs.calls()).map(({ input }) => input).join('');
    expect(inputs).not.toContain('acme-runtime-session');
  });

  it('that is shared is kept only while this machine has it', async () => {
    const { init, machine, read, sessionPath } = await start({ exchange: false, rotates: false });
    await init('acme', 'dev', '--no-deploy');
    expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({ session: { by: 'kept' } });
    const session = await readFile(sessionPath, 'utf8');
    await writeFile(sessionPath, session.replaceAll(REFRESH_TOKEN, 'refresh-of-next-sign-in'));
    expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({ session: { by: 'shared' } });
    expect(JSON.parse(await read('acme/dev/session.json'))).toMatchObject({
      refreshToken: 'refresh-of-next-sign-in',
    });
    await machine.plat(['cloud', 'logout']);
    const run = await init('acme', 'dev');
    expect(run.json()).toMatchObject({
      session: { provisioned: false, code: 'SIGNED_OUT', earlier: { alias: 'work', isOutdated: true } },
    });
    expect(run.stderr).toContain('The earlier one, with work, is one of this machine that it no longer has.');
    expect(run.stderr).toContain('acme-dev shares a session that this machine no longer has');
  });

  it('does not fail an init whose registration fails', async () => {
    const { init, platform } = await start();
    platform.answer('POST /v1/environments', {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'You may not do that.' },
    });
    const run = await init('acme', 'dev', '--no-deploy');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ registration: { registered: false, code: 'FORBIDDEN' } });
    expect(run.stderr).toContain('warning: not registered on the platform: You may not do that.');
  });
});

describe("the platform's record", () => {
  const RECORD = { environmentId: ID, name: 'dev', namespace: 'acme-dev' };

  it('of another tenant is not taken over by its name alone, and none is made', async () => {
    const { init, config, platform } = await start();
    platform.answer('GET /v1/environments', { body: [RECORD] });
    const run = await init('beta', 'dev', '--no-deploy');
    expect(run.json()).toMatchObject({
      registration: {
        registered: false,
        code: 'FOREIGN_RECORD',
        reason: `The platform's environment ${ID} has the namespace acme-dev, not beta-dev.`,
        next: "give the environment the platform's names: plat init acme dev",
      },
    });
    expect(await config('beta/dev/')).not.toHaveProperty('environmentId');
    expect((await init('beta', 'test', '--no-deploy')).json()).toMatchObject({
      registration: { registered: false, code: 'FOREIGN_RECORD' },
    });
    expect(platform.to('POST /v1/environments')).toEqual([]);
  });

  it('of another environment of this machine is not taken over from a platform that names no namespace', async () => {
    const { init, config, platform } = await start();
    await init('acme', 'dev', '--no-deploy');
    platform.answer('GET /v1/environments', { body: [{ environmentId: ID, name: 'dev' }] });
    const run = await init('beta', 'dev', '--no-deploy');
    expect(run.stderr).toContain(`The platform's environment ${ID} is that of acme dev on this machine.`);
    expect(run.json()).toMatchObject({ registration: { registered: false, code: 'RECORD_IN_USE' } });
    expect(await config('acme/dev/')).toMatchObject({ environmentId: ID });
    expect(await config('beta/dev/')).not.toHaveProperty('environmentId');
  });

  it('is had by one of two environments that are made at once', async () => {
    const { init, platform } = await start();
    platform.answer('GET /v1/environments', { body: [{ environmentId: ID, name: 'dev' }] });
    const runs = await Promise.all([init('acme', 'dev', '--no-deploy'), init('beta', 'dev', '--no-deploy')]);
    const made = runs.map(
      (run) => run.json<{ registration: { registered: boolean } }>().registration.registered,
    );
    expect(made.sort()).toEqual([false, true]);
  });

  it('is named and left if the alias changes, and the other platform gives the environment one of its own', async () => {
    const { init, config, machine, platform } = await start();
    await init('acme', 'dev', '--no-deploy');
    await machine.plat(['cloud', 'init', 'other', '--api-url', platform.url]);
    const run = await init('acme', 'dev', '--alias', 'other', '--yes', '--no-deploy');
    expect(run.json()).toMatchObject({ leftRecord: ID });
    expect(run.stderr).toContain(`the platform of the alias before still has the environment ${ID}`);
    expect(await config('acme/dev/')).toMatchObject({ alias: 'other' });
    expect(platform.to(`GET /v1/environments/${ID}`)).toEqual([]);
  });

  it('is had by the environment with its names', async () => {
    const { init, config, platform } = await start();
    platform.answer('GET /v1/environments', { body: [RECORD] });
    await init('acme', 'dev', '--no-deploy');
    expect(await config('acme/dev/')).toMatchObject({ environmentId: ID });
    expect(platform.to('POST /v1/environments')).toEqual([]);
  });
});

describe('plat init refuses, and writes nothing,', () => {
  const LONG = 'a'.repeat(100_000);
  it.each<[string, string[], string, RegExp]>([
    ['a hyphen in the tenant', ['ac-me', 'dev'], 'INVALID_NAME', /^tenant "ac-me" has a hyphen/],
    ['100 KB of name', ['acme', LONG], 'INVALID_NAME', /^environment "a{59}… .* has more than 63 characters/],
    ['a tenant of Kubernetes', ['kube', 'system'], 'INVALID_NAME', /^tenant "kube" would give/],
    [
      'a context that is not there',
      ['acme', 'dev', '--kubernetes-context=kind-tow'],
      'CONTEXT_NOT_FOUND',
      /It has: kind-one, kind-two/,
    ],
    [
      'a registry without a role',
      ['acme', 'dev', '--container-registry=r.example.com'],
      'INVALID_REGISTRY',
      /"r.example.com" has no role/,
    ],
    [
      'a registry that is none',
      ['acme', 'dev', '--container-registry=R!=build'],
      'INVALID_VALUE',
      /containerRegistries\[0\]\.registry "R!"/,
    ],
    [
      'a version that is none',
      ['acme', 'dev', '--runtime-version=latest'],
      'INVALID_VALUE',
      /^runtimeVersion "latest" is no version/,
    ],
    [
      'a remote with a password',
      ['acme', 'dev', '--repo-url=https://me:secret@h.example/r'],
      'INVALID_VALUE',
      /^repoUrl is no URL of a git remote without credentials/,
    ],
    ['an unknown alias', ['acme', 'dev', '--erun-alias=nope'], 'UNKNOWN_ALIAS', /no alias named nope/],
  ])('%s', async (_what, args, code, message) => {
    const { init, read } = await start();
    const run = await init(...args);
    expect(run.json()).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(run.code).toBe(code === 'UNKNOWN_ALIAS' ? 127 : 1);
    expect(run.stdout + run.stderr).not.toContain('me:secret');
    await expect(read('acme/dev/config.yaml')).rejects.toThrow('ENOENT');
  });

  it('a missing argument, with the note about a flag of several values only if that flag was given', async () => {
    const { init } = await start();
    const note = 'Note: --container-registry allows multiple values.';
    const missing = (await init()).json<{ code: string; message: string }>();
    expect(missing).toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/^Missing 2 required args/),
    });
    expect(missing.message).not.toMatch(/Note:|Alternatively/);
    const swallowed = (await init('--container-registry', 'r.example.com=build', 'acme', 'dev')).json();
    expect(swallowed).toMatchObject({ code: 'USAGE', message: expect.stringContaining(note) });
  });

  it('a file with tabs, or with a wrong field, by file, line and field', async () => {
    const { init, write, read } = await start();
    await write('acme/dev/config.yaml', 'type: runtime\nidle:\n\ttimeout: 5m\n');
    expect((await init('acme', 'dev')).json()).toMatchObject({ code: 'CONFIG_UNREADABLE' });
    const text = 'type: runtime\nidle:\n  timeout: 5 minutes\n';
    await write('acme/dev/config.yaml', text);
    expect((await init('acme', 'dev', '--yes')).json()).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/config\.yaml:3: idle\.timeout "5 minutes"/),
    });
    expect(await read('acme/dev/config.yaml')).toBe(text);
  });

  it('blocks of ports that overlap, both named; and a configuration without a free block', async () => {
    const { init, write } = await start();
    await write('acme/dev/config.yaml', 'type: runtime\nlocalPortRangeStart: 17000\n');
    await write('acme/test/config.yaml', 'type: runtime\nlocalPortRangeStart: 17099\n');
    expect((await init('acme', 'dev')).json()).toMatchObject({
      code: 'PORTS_OVERLAP',
      message: 'The ports of acme-dev (from 17000) and acme-test (from 17099) overlap.',
    });
    for (let block = 17_000, at = 0; block <= 65_400; block += 100, at += 1) {
      await write(`full/e${at}/config.yaml`, `type: runtime\nlocalPortRangeStart: ${block}\n`);
    }
    expect((await init('acme', 'other')).json()).toMatchObject({ code: 'NO_PORT_BLOCK' });
  });
});
