import { buildsService } from '@plat/builds';
import { reviewsService } from '@plat/reviews';
import { ReviewScene, startTestService, TEST_AUDIENCE, type TestService } from '@plat/testing';
import { type Agent, agentOverHttp, agentOverStdio } from '../black-box/mcp-agent';
import { builtPlat, ended, Machine, said } from '../black-box/plat-process';
import { PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { saveAlias } from '../config/config-file';
import { sessionPath, writeSession } from '../session/stored-session';

const COMMIT = 'a'.repeat(40);

describe('plat mcp', () => {
  let service: TestService;
  const disposals: Array<() => Promise<unknown>> = [];
  beforeAll(async () => {
    [service] = await Promise.all([startTestService(reviewsService, buildsService), builtPlat()]);
  });
  afterAll(async () => {
    for (const dispose of disposals.reverse()) await dispose();
    await service.stop();
  });

  /** A machine on which alice is signed in to the real services. */
  async function machineOfAlice(): Promise<Machine> {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    const alias: PlatformAlias = {
      name: 'work',
      kind: PLATFORM_KIND,
      apiUrl: service.url,
      audience: TEST_AUDIENCE,
      issuer: service.issuer.url,
      clientId: 'plat-cli',
    };
    await saveAlias(machine.configFolder, alias);
    const accessToken = (await service.bearer('alice')).replace('Bearer ', '');
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await writeSession(sessionPath(machine.configFolder, alias), { accessToken, expiresAt });
    return machine;
  }

  async function keepAgent(agent: Promise<Agent>): Promise<Agent> {
    const { client } = await agent;
    disposals.push(() => client.close());
    return agent;
  }

  function overStdio(machine: Machine, cwd = machine.home, ...args: string[]): Promise<Agent> {
    return keepAgent(agentOverStdio(machine, { cwd, args }));
  }

  /** A server on a free port, which is stopped at the end. */
  async function startServer(machine: Machine) {
    const server = await machine.start(['mcp', '--port', '0']);
    disposals.push(async () => {
      server.kill('SIGTERM');
      expect(await ended(server)).toMatchObject({ code: 0, stdout: '' });
    });
    const [, url = ''] = await said(server, /Serving tools on (\S+)\n/);
    return url;
  }

  async function overHttp(machine: Machine) {
    return keepAgent(agentOverHttp(machine, await startServer(machine)));
  }

  async function toolRows(work: () => Promise<unknown>) {
    const [before] = await service.database.query<{ n: string }>('SELECT clock_timestamp()::text AS n');
    await work();
    return service.database.query(
      `SELECT type, mcp_tool, api_method, api_path, api_parameters FROM audit.audit_events
        WHERE created_at > $1::timestamptz ORDER BY created_at`,
      [before!.n],
    );
  }

  describe.each([
    ['streamable HTTP', overHttp],
    ['stdio', overStdio],
  ])('over %s', (_transport, over) => {
    it('lists every tool of the contract, and its siblings, with camelCase inputs', async () => {
      const { client } = await over(await machineOfAlice());
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'build',
          'exec_close-pr',
          'exec_gate-merge',
          'exec_gate-run_report',
          'exec_gate-run_start',
          'exec_plan-ruleset-bypass',
          'exec_push',
          'exec_reconcile-bypass',
          'exec_report-commit-status',
          'gate_list',
          'gate_show',
          'review_close',
          'review_create',
          'review_list',
          'review_queue_advance',
          'review_queue_list',
          'review_queue_override-advance',
          'review_record-build',
          'review_report-merged',
          'review_requeue',
          'review_reviewers_add',
          'review_reviewers_list',
          'review_reviewers_remove',
          'review_show',
          'review_verify',
        ]),
      );
      const record = tools.find(({ name }) => name === 'review_record-build');
      expect(record).toMatchObject({
        annotations: { readOnlyHint: false },
        inputSchema: {
          additionalProperties: false,
          properties: {
            reviewId: { type: 'string' },
            gate: { type: 'boolean' },
            failureDetail: { type: 'string' },
            commitId: { type: 'string' },
            preview: { type: 'boolean' },
          },
        },
      });
      // Without one it is the review of the branch at hand.
      expect(record!.inputSchema.required ?? []).not.toContain('reviewId');
      expect(Object.keys(record!.inputSchema.properties!)).not.toContain('alias');
      expect(tools.find(({ name }) => name === 'review_list')).toMatchObject({
        annotations: { readOnlyHint: true },
        inputSchema: { properties: { status: { enum: expect.arrayContaining(['MERGE']) as unknown } } },
      });
      expect(tools.filter(({ name }) => !/^[a-z][a-z0-9_-]{0,63}$/.test(name))).toEqual([]);
    });

    it('takes a review through the queue, as rows of type MCP that name the tool', async () => {
      const { call } = await over(await machineOfAlice());
      const { repository, targetBranch } = new ReviewScene(service);
      const rows = await toolRows(async () => {
        const created = await call('review_create', {
          name: '--json is a name',
          sourceBranch: 's',
          targetBranch,
          repository,
        });
        expect(created).toMatchObject({
          isError: false,
          value: { name: '--json is a name', status: 'OPEN', repository },
        });
        const { reviewId } = created.value as { reviewId: string };
        expect(
          await call('review_record-build', { reviewId, commitId: COMMIT, version: '1.0.0' }),
        ).toMatchObject({ value: { kind: 'RECORDED', successful: true } });
        expect(await call('review_list', { repository, status: 'MERGE' })).toMatchObject({
          value: [{ reviewId }],
        });
        expect(await call('review_requeue', { reviewId })).toMatchObject({ value: { reviewId } });
        expect(await call('review_close', { reviewId: 'x' })).toMatchObject({ isError: true });
      });
      expect(rows).toEqual(
        [
          ['review_create', 'POST', '/v1/reviews'],
          // Warns of a repository that the platform cannot read.
          ['review_create', 'POST', '/v1/reviews/merge-queue/check'],
          // Reads the review after the build has moved it.
          ['review_record-build', 'POST', '/v1/reviews/{review_id}/builds'],
          ['review_record-build', 'GET', '/v1/reviews/{review_id}'],
          ['review_list', 'GET', '/v1/reviews'],
          // Reads the review first.
          ['review_requeue', 'GET', '/v1/reviews/{review_id}'],
          ['review_requeue', 'PATCH', '/v1/reviews/{review_id}/status'],
          // Looks for a review of the branch x.
          ['review_close', 'GET', '/v1/reviews'],
        ].map(([tool, method, path]) => ({
          type: 'MCP',
          mcp_tool: tool,
          api_method: method,
          api_path: path,
          api_parameters: null,
        })),
      );
    });

    it('reports a refusal as an error of the tool, with code and message', async () => {
      const { call } = await over(await machineOfAlice());
      const reviewId = await new ReviewScene(service).open();
      expect(await call('review_requeue', { reviewId })).toEqual({
        isError: true,
        value: {
          code: 'REVIEW_NOT_MERGING',
          message: expect.stringContaining('is at OPEN, not at MERGE') as unknown,
          details: { reviewId, status: 'OPEN', next: `review_record-build with reviewId: "${reviewId}"` },
          exitCode: 1,
        },
      });
      const missing = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
      expect(await call('review_show', { reviewId: missing })).toMatchObject({
        isError: true,
        value: { code: 'NOT_FOUND', details: { requestId: expect.any(String) as unknown } },
      });
      expect(await call('review_queue_override-advance', { targetBranch: 'main', reason: '' })).toMatchObject(
        { isError: true, value: { code: 'BLANK_REASON' } },
      );
    });

    it('previews without a call, and refuses inputs that the command does not have', async () => {
      const { call } = await over(await machineOfAlice());
      const reviewId = await new ReviewScene(service).open();
      const rows = await toolRows(async () => {
        expect(await call('review_close', { reviewId, preview: true })).toEqual({
          isError: false,
          value: { dryRun: true, plan: [`platform: PATCH ${service.url}/v1/reviews/${reviewId}/status`] },
        });
        expect(await call('review_close', { reviewId, dryRun: true })).toMatchObject({ isError: true });
        expect(await call('review_close', {})).toMatchObject({
          isError: true,
          value: { code: 'NOT_A_CHECKOUT' },
        });
      });
      expect(rows).toEqual([]);
    });
  });

  it('answers with structured content that its schemas describe, which the client checks', async () => {
    const { client } = await overStdio(await machineOfAlice());
    const { repository, targetBranch } = new ReviewScene(service);
    // The SDK's client refuses content that the listed schema does not describe.
    const { tools } = await client.listTools();
    const contentOf = async (name: string, args: Record<string, unknown>) => {
      expect(tools.find((tool) => tool.name === name)?.outputSchema).toBeDefined();
      return (await client.callTool({ name, arguments: args })).structuredContent;
    };
    const review = { name: 'n', sourceBranch: 's', targetBranch, repository };
    expect(await contentOf('review_create', { ...review, preview: true })).toMatchObject({ dryRun: true });
    const created = (await contentOf('review_create', review)) as { reviewId: string };
    const { reviewId } = created;
    expect(created).toMatchObject({ status: 'OPEN' });
    expect(await contentOf('review_list', { repository })).toMatchObject({ items: [{ reviewId }] });
    expect(
      await contentOf('review_record-build', { reviewId, commitId: COMMIT, version: '1.0.0' }),
    ).toMatchObject({
      kind: 'RECORDED',
    });
    expect(await contentOf('review_why', { reviewId })).toMatchObject({ events: [{}, {}, {}] });
    expect(await contentOf('status', { reviewId })).toMatchObject({ status: 'MERGE' });
    expect(await contentOf('review_queue_show', { repository, targetBranch })).toMatchObject({ entries: [] });
    expect(await contentOf('review_builds', { reviewId })).toMatchObject({ items: [{ kind: 'RECORDED' }] });
    expect(await contentOf('review_show', { reviewId })).toMatchObject({ reviewId });
    expect(await contentOf('review_wait', { reviewId, until: 'MERGE' })).toMatchObject({ status: 'MERGE' });
    expect(await contentOf('gate_list', {})).toMatchObject({ gateRuns: [] });
  });

  it('says what it is for, and marks what changes or ends something', async () => {
    const { client } = await overStdio(await machineOfAlice());
    expect(client.getInstructions()).toMatch(/review_create[^]*drive[^]*review_wait/);
    const { tools } = await client.listTools();
    const named = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(named('exec_job_start')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(named('review_list')).toMatchObject({ readOnlyHint: true, openWorldHint: true });
    expect(named('exec_job_list')).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(named('review_requeue')).toMatchObject({ idempotentHint: true });
    // Every tool that takes `preview` changes something.
    for (const { name, inputSchema, annotations } of tools) {
      const changes = 'preview' in (inputSchema.properties ?? {});
      if (changes) expect({ name, ...annotations }).toMatchObject({ name, readOnlyHint: false });
    }
    expect(
      tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name),
    ).toMatchSnapshot();
  });

  it('acts for its own environment only: no input names another, and no data of another is visible', async () => {
    const machine = await machineOfAlice();
    const of = (environment: string) => ({ PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: environment });
    const dev = await keepAgent(agentOverStdio(machine, { env: of('dev') }));
    const test = await keepAgent(agentOverStdio(machine, { env: of('test') }));
    const { tools } = await dev.client.listTools();
    for (const { inputSchema } of tools) {
      expect(Object.keys(inputSchema.properties ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(tenant|environment|environmentId|namespace)$/)]),
      );
    }
    const command = ['true'];
    const claim = ['activity', 'lease', 'take', '--exclusive', '--scope=environment'];
    expect(await machine.plat(claim, { env: of('test') })).toMatchObject({ code: 0 });
    expect(await dev.call('exec_job_start', { command })).toMatchObject({ isError: false });
    expect(await test.call('exec_job_start', { command })).toMatchObject({ value: { code: 'CLAIMED' } });
    expect((await dev.call('exec_job_list')).value).toHaveLength(1);
    expect((await test.call('exec_job_list')).value).toEqual([]);
    expect(await test.call('exec_job_list', { environment: 'dev' })).toMatchObject({ isError: true });
  });
});
