import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-0000-7000-8000-000000000001';
const VIEW = JSON.stringify({ 'current-context': 'kind-one', contexts: [{ name: 'kind-one' }] });
const CONFIG = `# mine
type: runtime
kubernetesContext: kind-one
localPortRangeStart: 17000
`;
const KUBECTL = 'kubectl --context kind-one --namespace acme-dev';

/** Scripts the API server's answer for a Deployment. */
function deployed(replicas: number, available = replicas): ToolScript {
  const object = {
    metadata: { generation: 2 },
    spec: { replicas },
    status: { observedGeneration: 2, availableReplicas: available },
  };
  return { when: /get deployment/, stdout: JSON.stringify(object) };
}

async function setUp(config = CONFIG) {
  const { machine, platform, dispose } = await signedInMachine();
  const programs = await clusterPrograms(machine.home);
  const file = (path: string) => join(machine.configFolder, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  await write(file('acme/dev/config.yaml'), config);
  platform.answer(`GET /v1/environments/${ID}`, {
    body: { environmentId: ID, name: 'dev', namespace: 'acme-dev' },
  });
  const answer = (...scripts: ToolScript[]) =>
    programs.answer([{ when: /config view/, stdout: VIEW }, ...scripts]);
  await answer();
  return {
    machine,
    platform,
    programs,
    answer,
    file,
    write,
    config: () => readFile(file('acme/dev/config.yaml'), 'utf8'),
    run: (...args: string[]) => machine.plat([...args, '--json'], { env: { PATH: programs.path } }),
    text: (...args: string[]) => machine.plat(args, { env: { PATH: programs.path } }),
    /** The command lines without those that only read the kubeconfig or the names of the pods. */
    commands: async () =>
      (await programs.calls())
        .map(({ argv }) => argv.join(' '))
        .filter((line) => !/config view|get pods --output name/.test(line)),
    dispose,
  };
}
type Bundle = Awaited<ReturnType<typeof setUp>>;

let bundle: Bundle;
const start = async (config?: string) => (bundle = await setUp(config));
afterEach(() => bundle.dispose());

describe('plat stop', () => {
  it('scales to 0 replicas, then marks the environment as stopped. Rule H11', async () => {
    const { run, answer, config, commands } = await start();
    await answer(deployed(1));
    const stopped = await run('stop', 'acme', 'dev');
    expect(stopped.json()).toEqual({
      tenant: 'acme',
      environment: 'dev',
      namespace: 'acme-dev',
      kubernetesContext: 'kind-one',
      stopped: true,
      wasRunning: true,
      forwards: [],
    });
    expect(await config()).toBe(`${CONFIG}stopped: true\n`);
    expect((await commands()).at(-1)).toBe(`${KUBECTL} scale deployment/acme-runtime --replicas=0`);
  });

  it('of one that is not deployed is refused with the next step, and marks nothing', async () => {
    const { run, config } = await start();
    expect((await run('stop', 'acme', 'dev')).json()).toMatchObject({
      code: 'NOT_DEPLOYED',
      details: { next: 'plat deploy acme dev' },
    });
    expect(await config()).toBe(CONFIG);
  });

  it('that the cluster refuses marks nothing', async () => {
    const { run, answer, config } = await start();
    const stderr = 'Error from server (Forbidden): deployments.apps "acme-runtime" is forbidden';
    await answer(deployed(1), { when: /scale/, code: 1, stderr });
    expect((await run('stop', 'acme', 'dev')).json()).toMatchObject({ code: 'CLUSTER_REFUSED' });
    expect(await config()).toBe(CONFIG);
  });

  it('of a misspelt name names what is configured', async () => {
    const { run } = await start();
    const refused = await run('stop', 'acme', 'dve');
    expect(refused.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'There is no environment acme dve. Configured: acme dev.',
      details: { next: 'repeat the command with acme dev; to create the other: plat init acme dve' },
    });
  });
});

describe('plat open', () => {
  it('leaves an environment that runs as it is; channels without a Service fail. Rule H8', async () => {
    const { run, answer, commands, file } = await start();
    await answer(deployed(1));
    const opened = await run('open', 'acme', 'dev', '--no-shell');
    const failed = (channel: string, service: string) => ({
      outcome: 'failed',
      localPort: expect.any(Number),
      logPath: file(`portforward/${channel}/acme/dev.log`),
      message: expect.stringContaining(`namespace acme-dev has no Service ${service};`),
    });
    expect(opened.code).toBe(0);
    expect(opened.json()).toEqual({
      tenant: 'acme',
      environment: 'dev',
      namespace: 'acme-dev',
      kubernetesContext: 'kind-one',
      started: false,
      channels: {
        mcp: failed('mcp', 'acme-mcp'),
        sshd: failed('sshd', 'acme-ssh'),
        api: failed('api', 'acme-api'),
      },
    });
    expect((await commands()).filter((line) => !line.includes(' get '))).toEqual([]);
  });

  it('scales a stopped one to 1, waits for its pod, and removes the mark', async () => {
    const { run, answer, config, commands } = await start(`${CONFIG}stopped: true\n`);
    await answer({ ...deployed(0), once: true }, { ...deployed(1, 0), once: true }, deployed(1));
    expect((await run('open', 'acme', 'dev', '--no-shell')).json()).toMatchObject({ started: true });
    expect(await config()).toBe(CONFIG);
    const all = await commands();
    expect(all.filter((line) => !line.includes(' get '))).toEqual([
      `${KUBECTL} scale deployment/acme-runtime --replicas=1`,
    ]);
    expect(all.filter((line) => line.includes('get deployment'))).toHaveLength(3);
  });

  it('of one that is not deployed is refused', async () => {
    const { run } = await start();
    expect((await run('open', 'acme', 'dev')).json()).toMatchObject({ code: 'NOT_DEPLOYED' });
  });

  it('with overlapping blocks of ports is refused, and both are named. Rule H5', async () => {
    const { run, write, file } = await start();
    await write(file('acme/test/config.yaml'), 'type: runtime\nlocalPortRangeStart: 17050\n');
    expect((await run('open', 'acme', 'dev')).json()).toMatchObject({
      code: 'PORTS_OVERLAP',
      message: 'The ports of acme-dev (from 17000) and acme-test (from 17050) overlap.',
    });
  });

  it('with --dry-run prints the commands and changes nothing', async () => {
    const { run, answer, config, commands, file } = await start(`${CONFIG}stopped: true\n`);
    await answer(deployed(0));
    expect((await run('open', 'acme', 'dev', '--dry-run')).json()).toEqual({
      dryRun: true,
      plan: [
        `${KUBECTL} scale deployment/acme-runtime --replicas=1`,
        'wait for the pod of acme-runtime, at most 600 s',
        'stopped: removed',
        ...['mcp', 'sshd', 'api'].map((channel) =>
          expect.stringMatching(`^forward ${channel}: .* forward --namespace`),
        ),
        `${KUBECTL} get secret acme-runtime-mcp --ignore-not-found --output 'jsonpath={.data.token}' # the token, to ${file('acme/dev/mcp-token')}`,
      ],
    });
    expect(await commands()).toHaveLength(1);
    expect(await config()).toContain('stopped: true');
  });
});

describe('plat delete', () => {
  const REGISTERED = `${CONFIG}environmentId: ${ID}\nalias: work\n`;

  it('deletes namespace, record and session, and leaves nothing on this machine. Rule H11', async () => {
    const { run, platform, machine, file, write, commands } = await start(REGISTERED);
    await write(file('config.yaml'), `defaultTenant: acme\n${await readFile(file('config.yaml'), 'utf8')}`);
    await write(file('acme/config.yaml'), 'defaultEnvironment: dev\n');
    for (const channel of ['mcp', 'sshd', 'api']) {
      for (const end of ['json', 'log', 'log.1']) {
        await write(file(`portforward/${channel}/acme/dev.${end}`), '{}');
      }
    }
    await write(join(machine.home, '.plat/acme/dev/leases/x'), '');
    platform.answer(`DELETE /v1/environments/${ID}`, { body: { environmentId: ID } });
    const deleted = await run('delete', 'acme', 'dev', '--yes');
    expect(deleted.json()).toMatchObject({
      namespace: 'acme-dev',
      namespaceFound: false,
      unregistered: true,
      sessionRevoked: false,
    });
    const look = 'kubectl --context kind-one get namespace acme-dev --ignore-not-found --output name';
    expect(await commands()).toEqual([
      look,
      'kubectl --context kind-one delete namespace acme-dev --ignore-not-found',
      look,
    ]);
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toHaveLength(1);
    expect(existsSync(file('acme'))).toBe(false);
    expect(existsSync(join(machine.home, '.plat/acme/dev'))).toBe(false);
    expect(await readdir(file('portforward'), { recursive: true })).toEqual(['api', 'mcp', 'sshd']);
    expect(await readFile(file('config.yaml'), 'utf8')).not.toContain('defaultTenant');
  });

  describe('of an environment that drives a review', () => {
    const RUN = '0198f2a4-0000-7000-8000-0000000000aa';
    const REVIEW = '0198f2a4-0000-7000-8000-0000000000bb';
    const run = (holder: string, gateRunId = RUN) => ({
      gateRunId,
      tenantId: ID,
      reviewId: REVIEW,
      reviewName: 'Add a door',
      sourceBranch: 'door',
      targetBranch: 'main',
      sourceCommit: 'a'.repeat(40),
      verdict: 'RUNNING',
      createdAt: '2026-11-22T10:00:00.000Z',
      holder,
    });
    const startDriven = async (status = 'MERGE') => {
      const begun = await start(REGISTERED);
      const { platform, answer } = begun;
      await answer({ when: /get pods/, stdout: 'pod/acme-runtime-5d8f-x2x\n' });
      const own = run('agent@acme-runtime-5d8f-x2x:/home/plat/shop (0123456789abcdef)');
      const other = run('agent@acme-runtime-5d8f-x2xy:/home/plat/shop (fedcba9876543210)', ID);
      platform.answer('GET /v1/gate-runs', { body: { gateRuns: [other, own] } });
      platform.answer(`PATCH /v1/gate-runs/${RUN}`, { body: { ...own, verdict: 'INCONCLUSIVE' } });
      const review = { reviewId: REVIEW, name: 'Add a door', status };
      platform.answer(`GET /v1/reviews/${REVIEW}`, { body: review });
      platform.answer(`PATCH /v1/reviews/${REVIEW}/status`, { body: { ...review, status: 'READY' } });
      platform.answer(`DELETE /v1/environments/${ID}`, { body: { environmentId: ID } });
      return begun;
    };

    it('asks about the review, and frees its slot after the namespace is gone', async () => {
      const { run: plat, platform } = await startDriven();
      expect((await plat('delete', 'acme', 'dev')).json<{ message: string }>().message).toContain(
        'It drives "Add a door", which goes back to its queue.',
      );
      const dry = (await plat('delete', 'acme', 'dev', '--dry-run')).json<{ plan: string[] }>();
      expect(dry.plan.slice(1, 3)).toEqual([
        `platform: PATCH ${platform.url}/v1/gate-runs/${RUN}`,
        `platform: PATCH ${platform.url}/v1/reviews/${REVIEW}/status`,
      ]);
      expect(platform.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
      expect((await plat('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({ requeued: [REVIEW] });
      expect(platform.to(`PATCH /v1/gate-runs/${RUN}`)[0]?.body).toEqual({ verdict: 'INCONCLUSIVE' });
      expect(platform.to(`PATCH /v1/reviews/${REVIEW}/status`)[0]?.body).toEqual({ status: 'READY' });
    });
  });

  it('asks, and without a terminal is refused without --yes', async () => {
    const { run, config, commands } = await start();
    expect((await run('delete', 'acme', 'dev')).json()).toMatchObject({
      code: 'NOT_CONFIRMED',
      message: 'The deletion of acme-dev in the context kind-one was not confirmed; nothing is deleted.',
      details: { next: 'plat delete acme dev --yes' },
    });
    expect(await commands()).toEqual([]);
    expect(await config()).toBe(CONFIG);
  });

  it('stops before anything local is touched if the cluster is unreachable', async () => {
    const { run, answer, config, platform } = await start(REGISTERED);
    const stderr =
      'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?';
    await answer({ when: /delete namespace/, code: 1, stderr });
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
    });
    expect(await config()).toBe(REGISTERED);
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toEqual([]);
  });

  it('that leaves the namespace in the cluster is no success, whatever kubectl exits with', async () => {
    const { run, answer, config, platform } = await start(REGISTERED);
    await answer(
      { when: /delete namespace/, stdout: 'namespace/acme-dev deletion is cancelled\n' },
      { when: /get namespace acme-dev/, stdout: 'namespace/acme-dev\n' },
    );
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({
      code: 'NAMESPACE_REMAINS',
      details: { said: 'namespace/acme-dev deletion is cancelled' },
    });
    expect(await config()).toBe(REGISTERED);
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toEqual([]);
  });

  it.each<[string, { status?: number; alias?: string }, string]>([
    ['an alias that is gone', { alias: 'gone' }, 'UNKNOWN_ALIAS'],
    ['a session that no one renews', { status: 401 }, 'IDENTITY_PROVIDER_FAILED'],
    ['a platform that fails', { status: 503 }, 'SERVICE_UNAVAILABLE'],
  ])('with %s destroys nothing', async (_what, { status, alias }, code) => {
    const { run, platform, config, commands } = await start(REGISTERED.replace('work', alias ?? 'work'));
    if (status !== undefined) {
      platform.answer(`GET /v1/environments/${ID}`, { status, body: { code, message: 'No.' } });
    }
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({ code });
    expect(await commands()).toEqual([]);
    expect(await config()).toContain(ID);
  });

  it('without a configured context is refused with --yes alone, since the current one may be any', async () => {
    const bare = CONFIG.replace('kubernetesContext: kind-one\n', '');
    const { run, config, commands } = await start(bare);
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({
      code: 'CONTEXT_NOT_CONFIGURED',
      details: { currentContext: 'kind-one' },
    });
    expect(await commands()).toEqual([]);
    expect(await config()).toBe(bare);
    expect((await run('delete', 'acme', 'dev', '--dry-run')).json<{ plan: string[] }>().plan[0]).toContain(
      '--context kind-one',
    );
  });

  it('with the alias of another platform is refused, since its 404 says nothing about the record', async () => {
    const { run, config, commands } = await start(REGISTERED);
    expect((await run('delete', 'acme', 'dev', '--yes', '--alias', 'other')).json()).toMatchObject({
      code: 'OTHER_ALIAS',
      details: { next: 'repeat the command with --alias work' },
    });
    expect(await commands()).toEqual([]);
    expect(await config()).toBe(REGISTERED);
  });

  it('says that the cluster had no such namespace', async () => {
    const { text } = await start();
    const deleted = await text('delete', 'acme', 'dev', '--yes');
    expect(deleted.stdout).toContain('is deleted. The context kind-one had no namespace acme-dev.');
  });

  it('leaves a record that is of another namespace, and says so', async () => {
    const { run, platform, file } = await start(REGISTERED);
    const body = { environmentId: ID, name: 'dev', namespace: 'beta-dev' };
    platform.answer(`GET /v1/environments/${ID}`, { body });
    const deleted = await run('delete', 'acme', 'dev', '--yes');
    expect(deleted.json()).toMatchObject({
      unregistered: false,
      recordNote: `The platform's environment ${ID} has the namespace beta-dev, not acme-dev. It stays.`,
    });
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toEqual([]);
    expect(existsSync(file('acme'))).toBe(false);
  });

  it('leaves a record without a namespace, which is that of another tenant, and says so', async () => {
    const { run, platform } = await start(REGISTERED);
    platform.answer(`GET /v1/environments/${ID}`, { body: { environmentId: ID, name: 'dev' } });
    const deleted = await run('delete', 'acme', 'dev', '--yes');
    expect(deleted.json()).toMatchObject({
      unregistered: false,
      recordNote: `The platform's environment ${ID} is that of another tenant. It stays.`,
    });
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toEqual([]);
  });

  it('leaves a record that another environment of this machine has, and says so', async () => {
    const { run, platform, write, file } = await start(REGISTERED);
    await write(file('beta/dev/config.yaml'), `type: runtime\nenvironmentId: ${ID}\n`);
    const deleted = await run('delete', 'acme', 'dev', '--yes');
    expect(deleted.json()).toMatchObject({
      unregistered: false,
      recordNote: `The platform's environment ${ID} is that of beta dev on this machine. It stays.`,
    });
    expect(platform.to(`DELETE /v1/environments/${ID}`)).toEqual([]);
  });

  it('with --dry-run prints the steps and changes nothing', async () => {
    const { run, config, platform, file, write } = await start(REGISTERED);
    await write(file('config.yaml'), `defaultTenant: acme\n${await readFile(file('config.yaml'), 'utf8')}`);
    await write(file('acme/config.yaml'), 'defaultEnvironment: dev\n');
    const { url } = platform;
    const alias = { name: 'work', kind: 'platform', apiUrl: url, audience: url, issuer: url, clientId: 'c' };
    const session = { alias, refreshToken: 'r-1', provisionedAt: '2026-11-22T10:00:00Z' };
    await write(file('acme/dev/session.json'), JSON.stringify(session));
    expect((await run('delete', 'acme', 'dev', '--dry-run')).json()).toEqual({
      dryRun: true,
      plan: [
        'kubectl --context kind-one delete namespace acme-dev --ignore-not-found',
        `platform: DELETE ${platform.url}/v1/environments/${ID}`,
        `identity provider: the session of acme-dev ends at ${platform.url}`,
        `remove ${file('acme/dev')}`,
        `${file('acme/config.yaml')}: defaultEnvironment: removed`,
        `${file('config.yaml')}: defaultTenant: removed`,
        `remove ${file('acme/config.yaml')}`,
      ],
    });
    expect(await config()).toBe(REGISTERED);
  });
});
