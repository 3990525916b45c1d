import { buildsService } from '@plat/builds';
import { reviewsService } from '@plat/reviews';
import { ReviewScene, startTestService, TEST_AUDIENCE, type TestService } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { type Agent, agentOverStdio } from '../black-box/mcp-agent';
import { builtPlat, Machine } from '../black-box/plat-process';
import { PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { saveAlias } from '../config/config-file';
import { sessionPath, writeSession } from '../session/stored-session';

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

  it('takes the live review of the branch that is checked out where it runs, if none is named', async () => {
    const machine = await machineOfAlice();
    const checkout = await GateCheckout.create(machine);
    const { repository, targetBranch } = new ReviewScene(service);
    await checkout.git('switch', '--quiet', '--create', 'mine');
    await checkout.git('remote', 'set-url', 'origin', String(repository));
    const { call } = await overStdio(machine, checkout.folder);
    expect(await call('review_show', {})).toMatchObject({ value: { code: 'NO_LIVE_REVIEW' } });
    const made = await call('review_create', { name: 'n', sourceBranch: 'mine', targetBranch, repository });
    const { reviewId } = made.value as { reviewId: string };
    expect(await call('review_show', {})).toMatchObject({ isError: false, value: { reviewId } });
    expect(await call('status')).toMatchObject({
      isError: false,
      value: { reviewId, status: 'OPEN', next: `review_record-build with reviewId: "${reviewId}"` },
    });
    expect(await call('review_resolve', { commentId: reviewId, preview: true })).toMatchObject({
      isError: false,
      value: { plan: [expect.stringContaining(`/v1/reviews/${reviewId}/comments/${reviewId}/status`)] },
    });
  });

  it('shows invisible characters in the words of others, so that an agent reads no hidden instruction', async () => {
    const { client } = await overStdio(await machineOfAlice());
    const { repository, targetBranch } = new ReviewScene(service);
    const hidden = '\u{e0041}\u{e0042}\u202e\u200b';
    const review = { name: `Fine ${hidden}`, sourceBranch: 's', targetBranch, repository };
    await client.callTool({ name: 'review_create', arguments: review });
    const answer = await client.callTool({ name: 'review_list', arguments: { repository } });
    const spelled = String.raw`Fine \udb40\udc41\udb40\udc42\u202e\u200b`;
    expect(answer.structuredContent).toMatchObject({ items: [{ name: spelled }] });
    const [{ text } = { text: '' }] = answer.content as Array<{ text: string }>;
    expect(text).toContain(spelled);
    expect(JSON.parse(text)).toMatchObject([{ name: review.name }]);
  });

  it('gates and pushes in the checkout in which it was started, one tool at a time', async () => {
    const machine = await machineOfAlice();
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('feature/1', { a: 'a\n' });
    await checkout.branch('feature/2', { b: 'b\n' });
    const { call } = await overStdio(machine, checkout.folder);
    const gate = { source: ['feature/1', 'feature/2'], targetBranch: 'main', messages: ['One', 'Two'] };
    const [merged, ungated] = await Promise.all([
      call('exec_gate-merge', gate),
      call('exec_push', { targetBranch: 'main' }),
    ]);
    expect(merged).toMatchObject({
      isError: false,
      value: { merged: [{ message: 'One' }, { message: 'Two' }], skipped: [] },
    });
    const { mergeCommit } = merged.value as { mergeCommit: string };
    expect(ungated).toMatchObject({
      isError: true,
      value: { code: 'NOT_GATED', details: { commitId: mergeCommit } },
    });
    const pushed = await call('exec_push', { targetBranch: 'main', commitId: mergeCommit });
    expect(pushed).toMatchObject({ isError: false, value: { commitId: mergeCommit, upToDate: false } });
    // If no source can be merged, the gate returns its result as an error. The next call is no error.
    expect(
      await call('exec_gate-merge', { source: ['gone'], targetBranch: 'main', messages: ['Gone'] }),
    ).toMatchObject({
      isError: true,
      value: { merged: [], skipped: [{ sourceBranch: 'gone', reason: 'missing' }] },
    });
    expect(await call('exec_push', { targetBranch: 'main' })).toMatchObject({ isError: false });
    expect(await call('build', { gate: true, preview: true })).toMatchObject({
      isError: true,
      value: { code: 'NOTHING_TO_BUILD' },
    });
  });

  it('takes a command line of any length as a list, and offers no flag that is for a terminal', async () => {
    const { call } = await overStdio(await machineOfAlice());
    const command = ['make', '--jobs', '4'];
    expect((await call('exec_job_start', { command, preview: true })).value).toEqual({
      dryRun: true,
      plan: ['make --jobs 4'],
    });
    expect((await call('gate_list', { watch: true })).isError).toBe(true);
  });

  it('acts with the alias with which it was started; a tool cannot name another', async () => {
    const { call } = await overStdio(await machineOfAlice(), undefined, '--alias', 'elsewhere');
    expect(await call('review_list')).toMatchObject({
      isError: true,
      value: { code: 'UNKNOWN_ALIAS', exitCode: 127 },
    });
    expect(await call('review_list', { alias: 'work' })).toMatchObject({ isError: true });
  });
});
