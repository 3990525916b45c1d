import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ClusterPrograms } from '../black-box/cluster-programs';
import { APPLIED, deployStands, GATEWAY, HELM, SESSION, TOKEN, VIEW } from '../black-box/deploy-stand';

describe('plat deploy', () => {
  const { setUp, withSecrets } = deployStands();

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

  it('renders no replica for a stopped environment, and says so', async () => {
    const { programs, deploy } = await setUp({ config: 'stopped: true\n' });
    expect((await deploy()).stdout).toContain('It is stopped');
    expect(await upgradeValues(programs)).toMatchObject({ replicas: 0 });
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
