import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

describe('plat open', () => {
  it('shows why a pod does not start, and waits for one that the cluster may make room for. Rule H8', async () => {
    const { text, answer } = await start();
    const unplaced = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' };
    const pods = { items: [{ status: { conditions: [unplaced] } }] };
    await answer(
      { ...deployed(1, 0), once: true },
      { ...deployed(1, 0), once: true },
      { ...deployed(1, 0), once: true },
      deployed(1),
      { when: /get pods/, stdout: JSON.stringify(pods) },
    );
    const { code, stderr } = await text('open', 'acme', 'dev', '--no-shell');
    expect(code).toBe(0);
    // Once, though it was found twice.
    expect(stderr.match(/^acme-runtime: .*$/gm)).toEqual(['acme-runtime: Unschedulable: 0/1 nodes']);
  });

  it('that is stopped during the wait ends at once, and leaves no mark: the pod is asked for', async () => {
    const { machine, answer, config, programs } = await start(`${CONFIG}stopped: true\n`);
    await answer({ ...deployed(0), once: true }, { ...deployed(1, 0), signals: 'SIGINT' });
    const run = await machine.plat(['open', 'acme', 'dev', '--no-shell', '--json'], {
      env: { PATH: programs.path },
    });
    expect(run.json()).toMatchObject({ code: 'INTERRUPTED' });
    expect(await config()).toBe(CONFIG);
  });
});

describe('plat delete', () => {
  const REGISTERED = `${CONFIG}environmentId: ${ID}\nalias: work\n`;

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

    it('leaves a review that has merged meanwhile', async () => {
      const { run: plat, platform } = await startDriven('MERGED');
      expect((await plat('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({ requeued: [] });
      expect(platform.to(`PATCH /v1/reviews/${REVIEW}/status`)).toEqual([]);
    });

    it('is deleted although the slot cannot be freed, and names the command that frees it', async () => {
      const { run: plat, platform, file } = await startDriven();
      const body = { code: 'FORBIDDEN', message: 'No role permits it.' };
      platform.answer(`PATCH /v1/gate-runs/${RUN}`, { status: 403, body });
      const deleted = await plat('delete', 'acme', 'dev', '--yes');
      expect([deleted.code, existsSync(file('acme/dev'))]).toEqual([0, false]);
      expect(deleted.stderr).toContain(`next: plat review requeue ${REVIEW}\n`);
    });
  });

  it('that the platform refuses is completed by the same command', async () => {
    const { run, platform, config, file } = await start(REGISTERED);
    const route = `DELETE /v1/environments/${ID}`;
    platform.answer(route, { status: 403, body: { code: 'FORBIDDEN', message: 'You may not do that.' } });
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({ code: 'FORBIDDEN' });
    expect(await config()).toBe(REGISTERED);
    const unknown = { status: 404, body: { code: 'NOT_FOUND', message: 'No such environment.' } };
    platform.answer(route, unknown);
    platform.answer(`GET /v1/environments/${ID}`, unknown);
    expect((await run('delete', 'acme', 'dev', '--yes')).json()).toMatchObject({
      unregistered: false,
      recordNote: `The platform at ${platform.url} does not know the environment ${ID}.`,
    });
    expect(existsSync(file('acme'))).toBe(false);
  });

  it('keeps the files of other environments of the tenant', async () => {
    const { run, write, file } = await start();
    await write(file('acme/config.yaml'), '# ours\ndefaultEnvironment: test\n');
    await write(file('acme/test/config.yaml'), 'type: runtime\n');
    await run('delete', 'acme', 'dev', '--yes');
    expect(await readFile(file('acme/config.yaml'), 'utf8')).toBe('# ours\ndefaultEnvironment: test\n');
    expect(existsSync(file('acme/test/config.yaml'))).toBe(true);
  });
});
