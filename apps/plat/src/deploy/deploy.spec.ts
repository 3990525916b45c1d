import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ClusterPrograms, clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { ended, Machine, WITHOUT_INTERNET } from '../black-box/plat-process';

const TOKEN = 'gateway-token-1';
const SESSION = {
  alias: {
    name: 'main',
    kind: 'platform',
    apiUrl: 'https://plat.example',
    audience: 'plat',
    issuer: 'https://id.example',
    clientId: 'cli',
  },
  refreshToken: 'refresh-1',
  provisionedAt: '2026-11-22T10:00:00Z',
};
const GATEWAY = 'gateway: { models: [{ id: m }] }\n';
const VIEW: ToolScript = {
  when: /config view/,
  stdout: JSON.stringify({
    'current-context': 'kind-one',
    contexts: [{ name: 'kind-one' }, { name: 'kind-two' }],
  }),
};
const HELM: ToolScript = { when: /helm version/, stdout: 'v4.3.1+g1\n' };
const APPLIED: ToolScript = { when: /resourceVersion/, stdout: '41' };
const UID = '7b1f7e2c-0000-4000-8000-000000000001';

/** As if a deploy of this machine had made the namespace. */
const remember = (machine: Machine, uid: string): Promise<void> =>
  writeFile(join(machine.configFolder, 'acme', 'dev', 'namespace-uid'), `${uid}\n`);

describe('plat deploy', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** A machine with the environment acme, dev, and scripted programs. */
  async function setUp({ config = '', user = '' } = {}) {
    const machine = await Machine.create();
    machines.push(machine);
    const folder = join(machine.configFolder, 'acme', 'dev');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.yaml'), `type: remote-agent # ours\n${config}`);
    if (user !== '') await writeFile(join(machine.configFolder, 'config.yaml'), user);
    const programs: ClusterPrograms = await clusterPrograms(machine.home);
    await programs.answer([VIEW, HELM, APPLIED]);
    const env = { PATH: programs.path, ...WITHOUT_INTERNET };
    const deploy = (...args: string[]) => machine.plat(['deploy', 'acme', 'dev', ...args], { env });
    return { machine, folder, programs, deploy };
  }

  async function withSecrets() {
    const token = await tokenFile(0o600);
    const world = await setUp({ config: GATEWAY, user: `gateway: { tokenFile: ${token} }\n` });
    await writeFile(join(world.folder, 'session.json'), JSON.stringify(SESSION), { mode: 0o600 });
    await mkdir(join(world.machine.home, '.docker'));
    const auths = { 'https://index.docker.io/v1/': { auth: 'bWU6cGFzcw==' } };
    await writeFile(join(world.machine.home, '.docker', 'config.json'), JSON.stringify({ auths }));
    return world;
  }

  async function tokenFile(mode: number): Promise<string> {
    const machine = await Machine.create();
    machines.push(machine);
    const path = join(machine.home, 'token');
    await writeFile(path, `${TOKEN}\n`);
    await chmod(path, mode);
    return path;
  }

  it('refuses ports that overlap those of another environment, and names both. Rule H5', async () => {
    const { machine, programs, deploy } = await setUp({ config: 'localPortRangeStart: 17000\n' });
    const other = join(machine.configFolder, 'acme', 'test');
    await mkdir(other);
    await writeFile(join(other, 'config.yaml'), 'type: runtime\nlocalPortRangeStart: 17050\n');
    for (const args of [['--json'], ['--dry-run', '--json']]) {
      expect((await deploy(...args)).json()).toMatchObject({
        code: 'PORTS_OVERLAP',
        details: { environments: ['acme-dev', 'acme-test'] },
      });
    }
    expect(await programs.calls()).toEqual([]);
  });

  it('of a wrong name names what is configured and the nearest, before it proposes to create one', async () => {
    const { machine } = await setUp();
    const wrong = async (...name: string[]) =>
      (await machine.plat(['deploy', ...name, '--json'])).json<{ message: string; details: object }>();
    expect(await wrong('acme', 'dve')).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'There is no environment acme dve. Configured: acme dev.',
      details: { next: 'repeat the command with acme dev; to create the other: plat init acme dve' },
    });
    expect(await wrong('acne', 'dev')).toMatchObject({
      details: { next: 'repeat the command with acme dev; to create the other: plat init acne dev' },
    });
  });

  it('applies a secret once more that another deploy has created at the same moment', async () => {
    const { programs, deploy } = await setUp();
    const stderr =
      'Error from server (AlreadyExists): error when creating "STDIN": secrets "acme-runtime-mcp" already exists';
    await programs.answer([{ when: /apply/, code: 1, stderr, once: true }, VIEW, HELM, APPLIED]);
    expect((await deploy()).code).toBe(0);
    const applied = (await programs.calls()).filter(({ argv }) => argv.includes('apply'));
    expect(applied.map(({ input }) => input.includes('"Secret"'))).toEqual([true, true]);
  });

  it('writes the namespace, then the secrets, then the chart with its values on stdin. Rule H7', async () => {
    const { programs, deploy } = await withSecrets();
    const run = await deploy('--json');
    expect(run.stderr).toBe('');
    expect(run.json()).toEqual({
      tenant: 'acme',
      environment: 'dev',
      kubernetesContext: 'kind-one',
      namespace: 'acme-dev',
      release: 'acme-runtime',
      image: expect.stringMatching(/^docker\.io\/plat\/plat-runtime:\d/),
      replicas: 1,
      secrets: ['acme-runtime-session', 'acme-runtime-gateway', 'acme-runtime-mcp', 'acme-runtime-registry'],
      warnings: [],
    });
    const later = (await programs.calls()).slice(2);
    expect(later.map(({ argv }) => argv.join(' '))).toContainEqual(
      expect.stringMatching(/ get secret acme-runtime-mcp --ignore-not-found /),
    );
    const calls = later.filter(({ argv }) => !argv.includes('get') && !argv.includes('delete'));
    const kubectl = [
      'kubectl',
      '--context',
      'kind-one',
      '--namespace',
      'acme-dev',
      'apply',
      '--filename',
      '-',
    ];
    expect(calls.map(({ argv }) => argv.slice(0, 8)).slice(0, 5)).toEqual([
      kubectl.with(5, 'create'),
      kubectl,
      kubectl,
      kubectl,
      kubectl,
    ]);
    expect(calls.map(({ input }) => (JSON.parse(input) as { kind?: string }).kind)).toEqual([
      'Namespace',
      'Secret',
      'Secret',
      'Secret',
      'Secret',
      undefined,
    ]);
    const [, session, gateway, mcp, registry, helm] = calls;
    const data = (call?: { input: string }) =>
      (JSON.parse(call?.input ?? '') as { data: Record<string, string> }).data;
    const decoded = (text = '') => Buffer.from(text, 'base64').toString();
    expect(JSON.parse(decoded(data(session)['alias.json']))).toEqual(SESSION.alias);
    expect(JSON.parse(decoded(data(session)['session.json']))).toEqual({
      refreshToken: 'refresh-1',
      provisionedAt: SESSION.provisionedAt,
    });
    expect(decoded(data(gateway).token)).toBe(TOKEN);
    expect(decoded(data(mcp).token)).toMatch(/^[\w-]{43}$/);
    expect(JSON.parse(decoded(data(registry)['.dockerconfigjson']))).toEqual({
      auths: { 'https://index.docker.io/v1/': { auth: 'bWU6cGFzcw==' } },
    });
    expect(helm?.argv.slice(0, 6)).toEqual([
      'helm',
      '--kube-context',
      'kind-one',
      'upgrade',
      '--install',
      'acme-runtime',
    ]);
    expect(helm?.argv[6]).toMatch(/\/dist\/apps\/plat\/chart$/);
    expect(helm?.argv.slice(7)).toEqual(['--namespace', 'acme-dev', '--create-namespace', '--values', '-']);
    expect(JSON.parse(helm?.input ?? '')).toMatchObject({
      registrySecret: 'acme-runtime-registry',
      secretVersions: { session: '41', gateway: '41', mcp: '41', registry: '41' },
      variables: { LLM_AUTH_TOKEN: { name: 'acme-runtime-gateway', key: 'token' } },
    });
  });

  describe('lets the platform remove the namespace of a registered environment, by the label with its id', () => {
    const ID = '0190aaaa-0000-7000-8000-000000000001';
    const LABEL = `plat.dev/environment-id=${ID}`;
    const setLabel = `kubectl --context kind-one --namespace acme-dev label namespace acme-dev ${LABEL}`;
    const namespaceWith = (labels: object): ToolScript => ({
      when: /get namespace/,
      stdout: JSON.stringify({ metadata: { name: 'acme-dev', uid: UID, labels } }),
    });
    const RELEASE: ToolScript = {
      when: /get deployment acme-runtime /,
      stdout: 'deployment.apps/acme-runtime\n',
    };

    /** A deploy of a registered environment over what the cluster has. @returns its warnings, and what it wrote */
    async function deployOver(...found: ToolScript[]) {
      const { machine, programs, deploy } = await setUp({ config: `environmentId: ${ID}\n` });
      await remember(machine, UID);
      await programs.answer([VIEW, HELM, APPLIED, ...found]);
      const run = await deploy('--json');
      const written = (await programs.calls()).filter(
        ({ argv, input }) =>
          /\b(apply|create --filename|label)\b/.test(argv.join(' ')) && !input.includes('"Secret"'),
      );
      const { warnings } = run.json<{ warnings: string[] }>();
      const [lines, inputs] = [written.map(({ argv }) => argv.join(' ')), written.map(({ input }) => input)];
      return {
        code: run.code,
        warnings: warnings.filter((line) => line.includes('namespace')),
        lines,
        inputs,
      };
    }

    it('a new one is made with it', async () => {
      const { lines, inputs } = await deployOver();
      expect(lines[0]).toMatch(/create --filename - /);
      expect(JSON.parse(inputs[0] ?? '')).toMatchObject({
        metadata: { labels: { [LABEL.split('=')[0]!]: ID } },
      });
    });

    it('one of an earlier deploy, with the release and no label, gets it; no label is ever overwritten', async () => {
      const { lines, warnings } = await deployOver(namespaceWith({}), RELEASE);
      expect([lines, warnings]).toEqual([[setLabel], []]);
    });

    it('one that has it is left as it is', async () => {
      const own = namespaceWith({ 'plat.dev/environment-id': ID });
      expect(await deployOver(own, RELEASE)).toMatchObject({ code: 0, lines: [], warnings: [] });
    });

    it.each([
      ['made for something else', {}, 'was not made by a deploy'],
      [
        'of another environment',
        { 'plat.dev/environment-id': 'other' },
        'has the label of the environment other',
      ],
    ])('one %s is left as it is, with a warning that has the command', async (_, labels, why) => {
      const { code, lines, warnings } = await deployOver(namespaceWith(labels));
      expect({ code, lines }).toEqual({ code: 0, lines: [] });
      expect(warnings).toEqual([expect.stringContaining(why)]);
      expect(warnings[0]).toContain(`${setLabel} --overwrite`);
    });

    it('that of an environment without an id keeps what labels it has', async () => {
      const { machine, programs, deploy } = await setUp();
      await remember(machine, UID);
      await programs.answer([VIEW, HELM, APPLIED, namespaceWith({ 'plat.dev/environment-id': ID }), RELEASE]);
      expect((await deploy()).code).toBe(0);
      expect((await programs.calls()).filter(({ input }) => input.includes('"Namespace"'))).toEqual([]);
    });

    it('a dry run shows both ways', async () => {
      const { deploy } = await setUp({ config: `environmentId: ${ID}\n` });
      const { plan } = (await deploy('--dry-run', '--json')).json<{ plan: string[] }>();
      expect(plan[0]).toMatch(/ # if it is missing, stdin: .*"plat\.dev\/environment-id":"0190/);
      expect(plan[1]).toBe(`${setLabel} # if an earlier deploy has made it without the label`);
    });
  });

  it('puts no secret into an argument, the values, its output, a dry run or a trace', async () => {
    const { programs, deploy } = await withSecrets();
    const runs = [await deploy('--debug'), await deploy('--dry-run'), await deploy('--json', '--debug')];
    const calls = await programs.calls();
    const values = calls.filter(({ argv }) => argv[0] === 'helm').map(({ input }) => input);
    const shown = [
      ...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
      ...values,
      ...calls.flatMap(({ argv }) => argv),
    ];
    const made = calls.flatMap(({ input }) => /acme-runtime-mcp.*"token":"([^"]+)"/.exec(input)?.[1] ?? []);
    expect(made).toHaveLength(2);
    const secrets = [
      TOKEN,
      'refresh-1',
      'bWU6cGFzcw==',
      ...made.map((text) => Buffer.from(text, 'base64').toString()),
    ];
    for (const secret of secrets) {
      expect(shown.join('\n')).not.toContain(secret);
      expect(shown.join('\n')).not.toContain(Buffer.from(secret).toString('base64'));
    }
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('with --dry-run prints what would run, and changes nothing. Rule G2', async () => {
    const { programs, deploy } = await withSecrets();
    const { plan } = (await deploy('--dry-run', '--json')).json<{ plan: string[] }>();
    expect(
      plan.map((line) =>
        line.replace(/ # (if it is missing, )?stdin: .*/, '').replace(/ \S+\/chart /, ' CHART '),
      ),
    ).toEqual([
      "kubectl --context kind-one --namespace acme-dev create --filename - --output 'jsonpath={.metadata.uid}'",
      ...Array.from(
        { length: 4 },
        () =>
          "kubectl --context kind-one --namespace acme-dev apply --filename - --output 'jsonpath={.metadata.resourceVersion}'",
      ),
      'helm --kube-context kind-one upgrade --install acme-runtime CHART --namespace acme-dev --create-namespace --values -',
      'kubectl --context kind-one --namespace acme-dev delete secret acme-runtime-git --ignore-not-found',
    ]);
    expect(plan[2]).toMatch(/# stdin: Secret acme-runtime-gateway with token$/);
    expect(plan[3]).toMatch(/# stdin: Secret acme-runtime-mcp with token$/);
    const written = (await programs.calls()).filter(({ input }) => input !== '');
    expect(written).toEqual([]);
  });

  it('asks the registry for the image before it writes anything, and warns if it has none', async () => {
    const registry = createServer((_request, response) => response.writeHead(404).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const { programs, deploy } = await setUp({ config: `runtimeImage: 127.0.0.1:${port}/app:9\n` });
    const missing = `The registry has no image 127.0.0.1:${port}/app:9.`;
    const run = await deploy('--json');
    expect(run.json()).toMatchObject({
      warnings: [expect.stringContaining('no session'), expect.stringContaining(missing)],
    });
    expect(run.stderr).toContain(missing);
    expect((await programs.calls()).some(({ argv }) => argv.includes('upgrade'))).toBe(true);
    registry.close();
  });

  it('keeps the token of the MCP server that the cluster has, so that no deploy starts the pod again for it', async () => {
    const { programs, deploy } = await setUp();
    const token = Buffer.from('token-of-an-earlier-deploy-0123456789').toString('base64');
    const read = { when: /get secret acme-runtime-mcp/, stdout: token };
    await programs.answer([VIEW, HELM, read, APPLIED]);
    expect((await deploy()).code).toBe(0);
    const written = (await programs.calls()).find(({ input }) => input.includes('acme-runtime-mcp'));
    expect(JSON.parse(written?.input ?? '')).toMatchObject({ kind: 'Secret', data: { token } });
  });

  it('makes another token for each environment', async () => {
    const tokens = [];
    for (const world of [await setUp(), await setUp()]) {
      await world.deploy();
      const written = (await world.programs.calls()).find(({ input }) => input.includes('acme-runtime-mcp'));
      tokens.push((JSON.parse(written?.input ?? '') as { data: { token: string } }).data.token);
    }
    expect(new Set(tokens).size).toBe(2);
  });

  it('warns of an environment without a session. Spec: Client, Authentication, rule 4', async () => {
    const { deploy } = await setUp();
    const run = await deploy('--json');
    expect(run.stderr).toContain('acme-dev has no session');
    expect(run.json()).toMatchObject({
      secrets: ['acme-runtime-mcp'],
      warnings: [expect.stringContaining('plat init')],
    });
  });

  it('keeps --runtime-version in the configuration before the deploy, with its comments: a failed one is repeated with it', async () => {
    const { folder, programs, deploy } = await setUp();
    expect((await deploy('--runtime-version', '2.0.0', '--json')).json()).toMatchObject({
      image: 'docker.io/plat/plat-runtime:2.0.0',
    });
    const file = () => readFile(join(folder, 'config.yaml'), 'utf8');
    expect(await file()).toBe('type: remote-agent # ours\nruntimeVersion: 2.0.0\n');
    await programs.answer([VIEW, HELM, { when: /upgrade/, code: 1, stderr: 'Error: no' }]);
    expect((await deploy('--runtime-version', '3.0.0')).code).toBe(1);
    expect(await file()).toContain('runtimeVersion: 3.0.0');
  });

  it('leaves an environment stopped that plat stop stopped while helm ran', async () => {
    const { programs, deploy, folder, machine } = await setUp();
    // helm upgrades, and meanwhile the mark is written.
    const helm = `#!/bin/sh
if [ "$1" = version ]; then echo v4.3.1; exit; fi
cat > /dev/null
echo 'stopped: true' >> ${folder}/config.yaml
`;
    await writeFile(join(machine.home, 'cluster-programs', 'helm'), helm, { mode: 0o755 });
    expect((await deploy('--json')).json()).toMatchObject({ replicas: 0 });
    const scaled = (await programs.calls()).filter(({ argv }) => argv.includes('scale'));
    expect(scaled.map(({ argv }) => argv.slice(-2))).toEqual([['deployment/acme-runtime', '--replicas=0']]);
  });

  it('renders no replica for a stopped environment, and says so', async () => {
    const { programs, deploy } = await setUp({ config: 'stopped: true\n' });
    expect((await deploy()).stdout).toContain('It is stopped');
    expect(await upgradeValues(programs)).toMatchObject({ replicas: 0 });
  });

  describe('refuses before it writes anything', () => {
    async function refusal(world: Awaited<ReturnType<typeof setUp>>, ...args: string[]) {
      const run = await world.deploy('--json', ...args);
      expect(run.code).toBe(1);
      const written = (await world.programs.calls()).filter(({ input }) => input !== '');
      expect(written).toEqual([]);
      return run.json<{ code: string; message: string; details: { next: string } }>();
    }

    it('a context that does not exist, with those that do', async () => {
      const failure = await refusal(await setUp({ config: 'kubernetesContext: kind-three\n' }));
      expect(failure).toMatchObject({
        code: 'CONTEXT_NOT_FOUND',
        message: 'The kubeconfig has no context kind-three. It has: kind-one, kind-two.',
      });
    });

    it.each([0o644, 0o640, 0o604])('a credential of the gateway that others may read (%o)', async (mode) => {
      const path = await tokenFile(mode);
      const failure = await refusal(
        await setUp({ config: GATEWAY, user: `gateway: { tokenFile: ${path} }\n` }),
      );
      expect(failure).toMatchObject({
        code: 'GATEWAY_TOKEN_EXPOSED',
        details: { next: `chmod 600 ${path}` },
      });
    });

    it('a gateway whose credential is nowhere, or in two places', async () => {
      expect(await refusal(await setUp({ config: GATEWAY }))).toMatchObject({
        code: 'GATEWAY_TOKEN_MISSING',
        details: { next: 'plat config set gateway.tokenFile <path>' },
      });
      const user = 'gateway: { tokenFile: /x, tokenCommand: cat /x }\n';
      expect(await refusal(await setUp({ config: GATEWAY, user }))).toMatchObject({
        code: 'GATEWAY_TOKEN_MISSING',
      });
    });

    it('a command that fails, without repeating it or its output', async () => {
      const user = `gateway: { tokenCommand: 'echo ${TOKEN}; echo ${TOKEN} >&2; exit 3' }\n`;
      const failure = await refusal(await setUp({ config: GATEWAY, user }));
      expect(failure).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
        message: 'gateway.tokenCommand of your configuration ended with 3.',
      });
      expect(JSON.stringify(failure)).not.toContain(TOKEN);
    });

    it('a credential of more than one line, and a folder in place of the file', async () => {
      const user = "gateway: { tokenCommand: 'echo one; echo two' }\n";
      expect(await refusal(await setUp({ config: GATEWAY, user }))).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
      });
      const folder = 'gateway: { tokenFile: / }\n';
      expect(await refusal(await setUp({ config: GATEWAY, user: folder }))).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
      });
    });

    it('a version that is none, and helm 2', async () => {
      const world = await setUp();
      expect(await refusal(world, '--runtime-version', 'latest')).toMatchObject({ code: 'INVALID_VERSION' });
      await world.programs.answer([VIEW, { when: /helm version/, stdout: 'Client: v2.16.1+g1\n' }]);
      expect(await refusal(world)).toMatchObject({ code: 'HELM_UNSUPPORTED' });
    });

    it('an environment that is not configured, with the command that does it', async () => {
      const { machine, programs } = await setUp();
      const run = await machine.plat(['deploy', 'acme', 'prod', '--json'], { env: { PATH: programs.path } });
      expect(run.json()).toMatchObject({ code: 'NOT_CONFIGURED', details: { next: 'plat init acme prod' } });
      const wrong = await machine.plat(['deploy', 'acme', '../x', '--json'], {
        env: { PATH: programs.path },
      });
      expect(wrong.json()).toMatchObject({ code: 'INVALID_NAME' });
    });
  });

  it.each([
    ['the namespace', /create --filename -/],
    ['a secret', /resourceVersion/],
    ['the chart', /upgrade/],
  ])('stopped at %s, it is mended by the same command', async (_, when) => {
    const { machine, programs, deploy } = await withSecrets();
    await programs.answer([VIEW, HELM, { when, hangs: true }, APPLIED]);
    const child = await machine.start(['deploy', 'acme', 'dev', '--json'], { env: { PATH: programs.path } });
    const end = ended(child);
    const begun = async () => (await programs.calls()).some(({ argv }) => when.test(argv.join(' ')));
    while (!(await begun())) await new Promise(setImmediate);
    child.kill('SIGINT');
    expect((await end).json()).toMatchObject({
      code: 'INTERRUPTED',
      details: { next: 'repeat the command' },
    });
    await programs.answer([VIEW, HELM, APPLIED]);
    expect((await deploy()).code).toBe(0);
  });

  it('takes the credential that a command prints', async () => {
    const { programs, deploy } = await setUp({
      config: GATEWAY,
      user: `gateway: { tokenCommand: 'echo ${TOKEN}' }\n`,
    });
    expect((await deploy()).code).toBe(0);
    const secret = (await programs.calls()).find(({ input }) => input.includes('acme-runtime-gateway'));
    expect(secret?.input).toContain(Buffer.from(TOKEN).toString('base64'));
  });

  it('writes no credential where the configuration names a secret of its own', async () => {
    const own = 'gateway: { models: [{ id: m }], tokenSecret: { name: mine, key: k } }\n';
    const { programs, deploy } = await setUp({ config: own });
    expect((await deploy('--json')).json()).toMatchObject({ secrets: ['acme-runtime-mcp'] });
    expect(await upgradeValues(programs)).toMatchObject({
      variables: { LLM_AUTH_TOKEN: { name: 'mine', key: 'k' } },
    });
  });

  it.each([
    [
      'of a gateway and a registry that are gone',
      '',
      ['acme-runtime-gateway', 'acme-runtime-registry', 'acme-runtime-git'],
    ],
    [
      'of a gateway that has a secret of its own now',
      'gateway: { models: [{ id: m }], tokenSecret: { name: mine, key: k } }\n',
      ['acme-runtime-gateway', 'acme-runtime-registry', 'acme-runtime-git'],
    ],
    [
      'that nothing references, and no other',
      'llmKeySecret: { name: acme-runtime-gateway, key: k }\n',
      ['acme-runtime-registry', 'acme-runtime-git'],
    ],
    [
      'of an MCP server that has no Service any more',
      'mcpEnabled: false\n',
      ['acme-runtime-gateway', 'acme-runtime-registry', 'acme-runtime-mcp', 'acme-runtime-git'],
    ],
  ])('removes the credential %s, after the pod has let go of it', async (_, config, names) => {
    const { programs, deploy } = await setUp({ config });
    const planned = await deploy('--dry-run');
    expect((await deploy()).code).toBe(0);
    const [upgrade, removal] = (await programs.calls()).slice(-2).map(({ argv }) => argv.join(' '));
    expect(upgrade).toContain(' upgrade ');
    const command = `kubectl --context kind-one --namespace acme-dev delete secret ${names.join(' ')} --ignore-not-found`;
    expect(removal).toBe(command);
    expect(planned.stdout.trimEnd().split('\n').at(-1)).toBe(command);
  });
});

/** The values that helm got. */
async function upgradeValues(programs: ClusterPrograms): Promise<unknown> {
  const upgrade = (await programs.calls()).find(({ argv }) => argv.includes('upgrade'));
  return JSON.parse(upgrade?.input ?? '');
}
