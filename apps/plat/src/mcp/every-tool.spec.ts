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
  activity_lease_list: [{}, { code: 'NO_ENVIRONMENT' }],
  audit_list: [{ limit: 1 }, { events: [] }],
  build: [preview, { code: 'NOTHING_TO_BUILD' }],
  doctor: [{}, expect.arrayContaining([expect.objectContaining({ check: expect.any(String) as unknown })])],
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
  ledger_check: [{ targetBranch: 'main' }, { code: 'NOTHING_SEALED' }],
  status: [REVIEW, { code: 'NOT_FOUND' }],
};
const OF_THE_FORGE = ['close-pr', 'plan-ruleset-bypass', 'reconcile-bypass', 'report-commit-status'];

const disposals: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

/** An agent of a signed-in machine, in a checkout. Its server ends with the test, whether or not that passes. */
async function setUp() {
  const { machine, platform, dispose } = await signedInMachine();
  disposals.push(dispose);
  const forge = await ForgeDouble.start();
  disposals.push(() => forge.close());
  const checkout = await GateCheckout.create(machine);
  platform.answer('GET /v1/audit-events', { body: { events: [] } });
  platform.answer('GET /v1/reviews', { body: [] });
  platform.answer('GET /v1/reviews/merge-queue', { body: [] });
  platform.answer('GET /v1/reviews/merge-queue/status', { body: QUEUE_STATUS });
  platform.answer('GET /v1/reviews/merge-queue/statistics', { body: QUEUE_STATISTICS });
  platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
  platform.answer('GET /v1/builds', { body: { builds: [] } });
  const agent = await agentOverStdio(machine, {
    cwd: checkout.folder,
    args: [`--forge-url=${forge.url}`],
    env: { GH_TOKEN: FORGE_TOKEN },
  });
  disposals.push(() => agent.client.close());
  const { tools } = await agent.client.listTools();
  return { ...agent, tools, names: tools.map(({ name }) => name) };
}

it("an agent that uses the SDK's client lists and calls every tool", async () => {
  const { call, names } = await setUp();
  const answers: Record<string, ToolAnswer> = {};
  for (const name of names) {
    const isOfForge = OF_THE_FORGE.some((command) => name === `exec_${command}`);
    const place = isOfForge ? { repository: FORGE_REMOTE } : {};
    answers[name] = await call(name, { ...CALLS[name]?.[0], ...place });
  }
  expect(names).toEqual(expect.arrayContaining(Object.keys(CALLS)));
  for (const [name, [, value]] of Object.entries(CALLS)) {
    const isWhole = Array.isArray(value) || 'asymmetricMatch' in (value as object);
    expect({ [name]: answers[name]?.value }).toEqual({
      [name]: isWhole ? value : expect.objectContaining(value as object),
    });
  }
  // A tool without an entry here at least reports what its arguments lack.
  for (const name of names.filter((each) => !CALLS[each])) {
    expect({ [name]: answers[name] }).toMatchObject({ [name]: { value: expect.anything() as unknown } });
  }
});

it('the tools, their inputs and their annotations are the committed ones', async () => {
  const { tools } = await setUp();
  const listed = tools.map(({ name, inputSchema, outputSchema, annotations }) => {
    const { properties = {}, required = [] } = inputSchema;
    const inputs = Object.keys(properties).map((input) => (required.includes(input) ? input : `${input}?`));
    const { title, ...hints } = annotations ?? {};
    const marks = Object.entries(hints).flatMap(([hint, isSet]) => (isSet ? [hint.replace('Hint', '')] : []));
    expect([name, title]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
    const output = outputSchema ? Object.keys(outputSchema.properties ?? {}) : ['unknown'];
    return `${name}(${inputs.join(', ')}): ${output.join(', ')} [${marks.join(', ')}]`;
  });
  expect(listed).toMatchSnapshot();
});

it('no description of a tool or an input names a flag in place of an input. Rule G14', async () => {
  const { tools } = await setUp();
  for (const { name, description, inputSchema } of tools) {
    const inputs = Object.entries(inputSchema.properties ?? {}) as Array<[string, { description?: string }]>;
    const flags = inputs.map(
      ([input]) => `--${input.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
    const shown = [description, ...inputs.map(([, about]) => about.description)].join('\n');
    const named = [...shown.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect([name, named.filter((flag) => flags.includes(flag))]).toEqual([name, []]);
  }
});
