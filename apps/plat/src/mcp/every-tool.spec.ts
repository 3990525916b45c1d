import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { agentOverStdio, type ToolAnswer } from '../black-box/mcp-agent';
import { QUEUE_STATISTICS, QUEUE_STATUS } from '../black-box/queue-answers';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const COMMIT = 'a'.repeat(40);
const ONTO = { targetBranch: 'main' };
const REVIEW = { reviewId: ID };
const preview = { preview: true };
const plan = { dryRun: true, plan: expect.any(Array) as unknown };

/** The arguments of each tool, and its answer. */
const CALLS: Readonly<Record<string, [args: Record<string, unknown>, value: unknown]>> = {
  build: [preview, { code: 'NOTHING_TO_BUILD' }],
  drive: [{ targetBranch: 'main', gateCommand: 'true', ...preview }, plan],
  'exec_close-pr': [{ source: 's', sourceCommit: COMMIT, commitId: COMMIT, ...ONTO }, { closed: false }],
  'exec_gate-merge': [{ source: ['s'], messages: ['S'], ...ONTO, ...preview }, plan],
  'exec_gate-run_report': [{ gateRunId: ID, verdict: 'PASSED', ...preview }, plan],
  'exec_gate-run_start': [
    { sourceBranch: 's', ...ONTO, sourceCommit: COMMIT, mergeCommit: COMMIT, ...preview },
    plan,
  ],
  exec_job_start: [{ command: ['true'], ...preview }, plan],
  exec_job_list: [{}, []],
  exec_job_output: [{ jobId: ID }, { code: 'NO_SUCH_JOB' }],
  exec_job_cancel: [{ jobId: ID }, { code: 'NO_SUCH_JOB' }],
  'exec_plan-ruleset-bypass': [
    { ruleset: 42, queueIdentity: 'acme-queue', ...ONTO },
    { code: 'FORGE_REFUSED' },
  ],
  exec_push: [{ ...ONTO, ...preview }, { code: 'NOT_GATED' }],
  'exec_reconcile-bypass': [
    { expectedActor: ['acme-queue'], ...ONTO },
    { pushes: [], reconciled: true },
  ],
  'exec_report-commit-status': [{ source: 's', sourceCommit: COMMIT, ...ONTO }, { code: 'NO_PULL_REQUEST' }],
  gate_list: [{}, { gateRuns: [] }],
  gate_show: [{ gateRunId: ID }, { code: 'NOT_FOUND' }],
  review_close: [{ ...REVIEW, ...preview }, plan],
  review_comment: [{ ...REVIEW, body: 'b', file: 'f', line: 1, commitId: COMMIT, ...preview }, plan],
  review_comments: [REVIEW, { code: 'NOT_FOUND' }],
  review_create: [{ name: 'n', sourceBranch: 's', ...ONTO, repository: FORGE_REMOTE, ...preview }, plan],
  review_list: [{ status: 'MERGE' }, []],
  review_queue_advance: [{ ...ONTO, repository: FORGE_REMOTE, ...preview }, plan],
  review_queue_list: [{ anyRepository: true }, []],
  'review_queue_override-advance': [{ ...ONTO, reason: 'r', anyRepository: true, ...preview }, plan],
  review_queue_show: [
    { ...ONTO, anyRepository: true },
    { targetBranch: 'main', entries: [] },
  ],
  review_queue_stats: [{ ...ONTO, anyRepository: true }, { flakySteps: [] }],
  'review_record-build': [
    { ...REVIEW, gate: true, failed: true, failureDetail: 'f', commitId: COMMIT, ...preview },
    plan,
  ],
  'review_report-merged': [{ ...REVIEW, remoteUrl: FORGE_REMOTE, ...preview }, plan],
  review_requeue: [REVIEW, { code: 'NOT_FOUND' }],
  review_resolve: [{ ...REVIEW, commentId: ID, ...preview }, plan],
  review_reviewers_add: [{ ...REVIEW, user: 'bob' }, { code: 'USER_NOT_IN_TENANT' }],
  review_reviewers_list: [REVIEW, { code: 'NOT_FOUND' }],
  review_reviewers_remove: [{ ...REVIEW, user: 'bob' }, { code: 'USER_NOT_IN_TENANT' }],
  review_show: [REVIEW, { code: 'NOT_FOUND' }],
  review_verify: [REVIEW, { code: 'NOT_FOUND' }],
  review_wait: [{ ...REVIEW, until: 'MERGED,FAILED', timeout: '1s' }, { code: 'NOT_FOUND' }],
  review_why: [REVIEW, { code: 'NOT_FOUND' }],
};
const OF_THE_FORGE = ['close-pr', 'plan-ruleset-bypass', 'reconcile-bypass', 'report-commit-status'];

it("an agent that uses the SDK's client lists and calls every tool", async () => {
  const [{ machine, platform, dispose }, forge] = await Promise.all([signedInMachine(), ForgeDouble.start()]);
  const checkout = await GateCheckout.create(machine);
  platform.answer('GET /v1/reviews', { body: [] });
  platform.answer('GET /v1/reviews/merge-queue', { body: [] });
  platform.answer('GET /v1/reviews/merge-queue/status', { body: QUEUE_STATUS });
  platform.answer('GET /v1/reviews/merge-queue/statistics', { body: QUEUE_STATISTICS });
  platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
  const { client, call } = await agentOverStdio(machine, {
    cwd: checkout.folder,
    env: { GH_TOKEN: FORGE_TOKEN },
  });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const answers: Record<string, ToolAnswer> = {};
  for (const name of names) {
    const isOfForge = OF_THE_FORGE.some((command) => name === `exec_${command}`);
    const place = isOfForge ? { repository: FORGE_REMOTE, forgeUrl: forge.url } : {};
    answers[name] = await call(name, { ...CALLS[name]?.[0], ...place });
  }
  expect(names).toEqual(expect.arrayContaining(Object.keys(CALLS)));
  for (const [name, [, value]] of Object.entries(CALLS)) {
    expect({ [name]: answers[name]?.value }).toEqual({
      [name]: Array.isArray(value) ? value : expect.objectContaining(value as object),
    });
  }
  // A tool without an entry here at least reports what its arguments lack.
  for (const name of names.filter((each) => !CALLS[each])) {
    expect({ [name]: answers[name] }).toMatchObject({ [name]: { value: expect.anything() as unknown } });
  }
  await client.close();
  await Promise.all([dispose(), forge.close()]);
});
