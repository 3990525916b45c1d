import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { ID, type InitProvider, type InitStand, setUpInit, VIEW } from '../black-box/init-stand';

let bundle: InitStand;
const start = async (provider?: InitProvider) => (bundle = await setUpInit(provider));
afterEach(() => bundle.dispose());

describe('plat init', () => {
  it('writes the files, provisions the session, registers the environment and deploys it. Rule H6', async () => {
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

  it('names the unknown keys of the file, and keeps them. Rule H4', async () => {
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

    it('or warns that no one does, if the pod clones a repository', async () => {
      const { init } = await start();
      const flags = ['--repo-url', 'https://git.example.com/a/b.git', '--mutable-source', '--no-deploy'];
      expect((await init('acme', 'dev', ...flags)).stderr).toContain(
        "warning: no one commits in its pod, so no drive works there\nnext: plat init acme dev --git-identity '<name> <<address>>'",
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
