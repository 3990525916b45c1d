import { approveDevice } from '@plat/testing';
import { prove } from './proof';
import { expect, outcome, step } from './report';
import type { Stage } from './stage';

interface Review {
  reviewId: string;
  name: string;
  status: string;
  lastMergedBuildId?: string;
}

interface Proposal {
  name: string;
  branch: string;
  /** Id of the branch's last commit. */
  tip: string;
  review?: Review;
}

const TARGET = 'main';

/** The main job: three branches are proposed, two land and are verified, one conflicts. */
export async function play(stage: Stage): Promise<void> {
  const proposals = await makeBranches(stage);
  await signIn(stage);
  const [first, second, conflicting] = (await propose(stage, proposals)) as [Proposal, Proposal, Proposal];
  await land(stage, first, { lieFirst: true });
  await promote(stage, second);
  await land(stage, second, { lieFirst: false });
  await promote(stage, conflicting);
  await failToMerge(stage, conflicting);
  await lookBack(stage, [first, second]);
  await prove(stage, 2);
}

async function makeBranches(stage: Stage): Promise<Proposal[]> {
  step('A repository, served over HTTP, and three branches; the third conflicts with the first');
  await stage.makeRepository({ 'greeting.txt': 'hello\n', 'test.sh': 'grep -q . greeting.txt\n' });
  const branches: { name: string; branch: string; files: Record<string, string> }[] = [
    { name: 'Greet the world', branch: 'feature/1-world', files: { 'greeting.txt': 'hello, world\n' } },
    { name: 'Say goodbye', branch: 'feature/2-goodbye', files: { 'farewell.txt': 'goodbye\n' } },
    { name: 'Greet in Latin', branch: 'feature/3-latin', files: { 'greeting.txt': 'salve\n' } },
  ];
  const proposals: Proposal[] = [];
  for (const { name, branch, files } of branches) {
    proposals.push({ name, branch, tip: await stage.commit(branch, name, files) });
  }
  outcome(`${stage.remoteUrl}: ${TARGET}, ${proposals.map(({ branch }) => branch).join(', ')}`);
  return proposals;
}

async function signIn(stage: Stage): Promise<void> {
  step('Alice names the platform and signs in; the demo clicks through the page as she would');
  await stage.plat(['cloud', 'init', 'demo', '--api-url', stage.apiUrl]);
  let heard = '';
  let clicked: Promise<void> | undefined;
  await stage.plat(['cloud', 'login', '--no-browser'], {
    onStderr: (text) => {
      heard += text;
      const page = /https?:\/\/\S+user_code=\S+/.exec(heard)?.[0];
      if (page && !clicked) clicked = approveDevice(page, 'alice');
    },
  });
  await clicked;
  const { body } = {
    body: await stage.plat<{ username: string; roles: string[] }>(['api', 'GET', '/v1/whoami']),
  };
  expect(body.username === 'alice', `signed in as alice (${body.roles.join(', ')})`, body);
}

async function propose(stage: Stage, proposals: Proposal[]): Promise<Proposal[]> {
  step('Each branch becomes a review, and its build is reported');
  const reviewed: Proposal[] = [];
  for (const proposal of proposals) {
    const { name, branch, tip } = proposal;
    const create = ['review', 'create', '--name', name, '--source-branch', branch, '--target-branch', TARGET];
    const { reviewId } = await stage.plat<Review>(create);
    await stage.plat([
      'review',
      'record-build',
      reviewId,
      '--commit-id',
      tip,
      '--version',
      '1.0.0-snapshot-20260102030405',
    ]);
    const review = await show(stage, reviewId);
    const wanted = reviewed.length === 0 ? 'MERGE' : 'READY';
    expect(review.status === wanted, `"${name}" is at ${wanted}`, review);
    reviewed.push({ ...proposal, review });
  }
  const queue = await stage.plat<Review[]>(['review', 'queue', 'list', '--target-branch', TARGET]);
  const names = queue.map(({ name }) => name);
  expect(names.length === 2, `the head of an idle queue went on at once; ${names.join(' and ')} wait`, queue);
  return reviewed;
}

async function promote(stage: Stage, { name, review }: Proposal): Promise<void> {
  step(`The queue advances to "${name}"`);
  const promoted = await stage.plat<Review>(['review', 'queue', 'advance', '--target-branch', TARGET]);
  expect(
    promoted.reviewId === review!.reviewId && promoted.status === 'MERGE',
    `"${name}" is at MERGE`,
    promoted,
  );
}

/** The gate of one review: merge, build, record, push, report. */
async function land(
  stage: Stage,
  { name, branch, review }: Proposal,
  { lieFirst }: { lieFirst: boolean },
): Promise<void> {
  const reviewId = review!.reviewId;
  step(`"${name}" is merged, gated, pushed and reported`);
  await stage.plat(['exec', 'gate-merge', '--source', branch, '--target-branch', TARGET]);
  const commitId = await stage.git(['rev-parse', 'HEAD']);
  expect(
    await stage.test(),
    `the prospective merge ${commitId.slice(0, 10)} passes the project's tests`,
    commitId,
  );
  const gate = ['review', 'record-build', reviewId, '--gate', '--vouch', '--commit-id', commitId];
  const { buildId } = await stage.plat<{ buildId: string }>(gate);
  const report = [
    'review',
    'report-merged',
    reviewId,
    '--remote-url',
    stage.remoteUrl,
    '--build-id',
    buildId,
  ];
  if (lieFirst) await tellLie(stage, { reviewId, report });
  await stage.plat(['exec', 'push', '--target-branch', TARGET]);
  await stage.plat(report);
  const merged = await show(stage, reviewId);
  expect(
    merged.status === 'MERGED' && merged.lastMergedBuildId === buildId,
    'git confirms it: MERGED',
    merged,
  );
}

/** Reports a commit that was never pushed: the service reads the repository and refuses the report. */
async function tellLie(
  stage: Stage,
  { reviewId, report }: { reviewId: string; report: string[] },
): Promise<void> {
  const refusal = await stage.plat<{ code: string; details: { reason: string } }>(report, { expectCode: 1 });
  const refused = refusal.code === 'MERGE_NOT_VERIFIED' && refusal.details.reason === 'commit_not_on_target';
  expect(refused, 'reported before the push, it is refused: the commit is not on the target', refusal);
  const review = await show(stage, reviewId);
  expect(review.status === 'MERGE', 'and nothing about the review has changed', review);
}

async function failToMerge(stage: Stage, { name, branch, tip, review }: Proposal): Promise<void> {
  step(`"${name}" conflicts with what has landed`);
  const gate = await stage.plat<unknown>(
    ['exec', 'gate-merge', '--source', branch, '--target-branch', TARGET],
    { expectCode: 1 },
  );
  expect(JSON.stringify(gate).includes('greeting.txt'), 'gate-merge skips it and names greeting.txt', gate);
  const detail = 'conflict in greeting.txt';
  const record = [
    'review',
    'record-build',
    review!.reviewId,
    '--gate',
    '--failed',
    '--failure-detail',
    detail,
  ];
  await stage.plat([...record, '--commit-id', tip]);
  const failed = await show(stage, review!.reviewId);
  expect(failed.status === 'FAILED', `"${name}" is at FAILED, and the slot is free`, failed);
}

async function lookBack(stage: Stage, landed: Proposal[]): Promise<void> {
  step('What is left: the queue, the releases, the audit trail');
  const queue = await stage.plat<Review[]>(['review', 'queue', 'list', '--target-branch', TARGET]);
  expect(queue.length === 0, 'the queue is empty', queue);
  const releases = await stage.plat<{ commitId: string; status: string; reviewId: string }[]>([
    'api',
    'GET',
    '/v1/releases',
  ]);
  const released = landed.every(({ review }) =>
    releases.some(({ reviewId }) => reviewId === review!.reviewId),
  );
  expect(
    released && releases.length === landed.length,
    releases.map(({ commitId, status }) => `release of ${commitId.slice(0, 10)}: ${status}`).join('\n'),
    releases,
  );
  const { events } = await stage.plat<{ events: { apiMethod: string; apiPath: string }[] }>([
    'api',
    'GET',
    '/v1/audit-events?limit=200',
  ]);
  const rows = new Map<string, number>();
  for (const { apiMethod, apiPath } of events) {
    const line = `${apiMethod.padEnd(5)} ${apiPath}`;
    rows.set(line, (rows.get(line) ?? 0) + 1);
  }
  const merges = rows.get('PATCH /v1/reviews/{review_id}/status');
  const lines = Array.from(rows, ([line, count]) => `audited ${String(count).padStart(2)} × ${line}`);
  expect(merges === 3, [...lines, 'three merges were reported: two true, one refused'].join('\n'), events);
}

const show = (stage: Stage, reviewId: string): Promise<Review> =>
  stage.plat<Review>(['review', 'show', reviewId]);
