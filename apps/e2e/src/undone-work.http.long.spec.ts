import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(180_000);

const FILE = 'src/transfer.txt';
const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');
const BEFORE = lines('read the amount', 'send it', 'write the log');
const FIXED = lines(
  'read the amount',
  'check the sender',
  'check the receiver',
  'check the limit',
  'send it',
  'write the log',
);
const FIX = 'Review of bug/7-checks';

interface Report {
  findings: { reviewId?: string; reviewName: string; path: string; firstLine: number; kind: string }[];
  reverts: unknown[];
}

/** The public reports of 2026: a fix landed, and a later, correct squash takes it back. */
describe('a source that takes back the work of an earlier landing', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const drive = (checkout: Checkout, ...more: string[]) =>
    checkout.plat(['drive', '--target-branch', 'main', '--gate-command', 'true', ...more]);

  /** A fix that has landed, and a branch of another review that began before it. */
  async function landFix(name: string): Promise<{ checkout: Checkout; fixId: string }> {
    const checkout = await stand.repository(name);
    await checkout.commit({ [FILE]: BEFORE }, 'Transfer');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    await checkout.git('switch', '--quiet', '--create', 'feature/8-log', 'main');
    await checkout.commit({ 'src/log.txt': 'log\n' }, 'Log');
    const fixId = await checkout.propose('bug/7-checks', { [FILE]: FIXED });
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
    await checkout.git('fetch', '--quiet', 'origin');
    await checkout.git('switch', '--quiet', 'feature/8-log');
    return { checkout, fixId };
  }

  /** Pushes the branch that is checked out, and reports a green build of it. @returns the id of its review */
  async function submit(checkout: Checkout): Promise<string> {
    await checkout.git('push', '--quiet', 'origin', 'feature/8-log');
    return checkout.report('feature/8-log', await checkout.git('rev-parse', 'HEAD'));
  }

  /** The service's findings, as the story of a review has them. */
  const foundBy = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ undoneWork: Record<string, unknown> }>(['review', 'why', id])).undoneWork;

  /** Waits until the service has compared a merge with the landings before it. */
  async function untilExamined(checkout: Checkout, id: string): Promise<void> {
    type Shown = { landing?: { undoneWork: { examinedAt?: string } } };
    for (;;) {
      const { landing } = await checkout.json<Shown>(['review', 'show', id]);
      if (landing?.undoneWork.examinedAt !== undefined) return;
    }
  }

  const undoes = (checkout: Checkout, id: string) => checkout.json<Report>(['review', 'undoes', id]);

  it('by a merge with its own side: the command and the drive say whose lines, and the drive can refuse it', async () => {
    const { checkout, fixId } = await landFix('own-side');
    await checkout.git('merge', '--quiet', '--strategy=ours', '--no-edit', 'origin/main');
    const reviewId = await submit(checkout);
    const finding = { reviewId: fixId, reviewName: FIX, path: FILE, firstLine: 2, lastLine: 4 };
    expect(await undoes(checkout, reviewId)).toMatchObject({
      findings: [{ ...finding, kind: 'dropped_by_merge', certainty: 'sure' }],
      reverts: [],
    });
    expect((await checkout.plat(['review', 'undoes', reviewId, '--refuse-undone'])).code).toBe(1);
    const refused = await drive(checkout, '--refuse-undone');
    expect(refused.stderr).toContain(`sure: ${FILE}:2-4, lost in a merge of the target`);
    expect(JSON.parse(refused.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'FAILED' }] });
    expect((await checkout.plat(['review', 'why', reviewId])).stdout).toContain(FIX);
    const other = await checkout.plat(['review', 'undoes', reviewId, '--on-purpose', reviewId]);
    expect({ code: other.code, text: other.stdout }).toMatchObject({
      code: 1,
      text: expect.stringContaining('NOTHING_UNDONE') as unknown,
    });
    const said = await checkout.json<Report>(['review', 'undoes', reviewId, '--on-purpose', fixId]);
    expect(said).toMatchObject({ findings: [], reverts: [finding] });
    const [comment] = await checkout.json<{ body: string }[]>(['review', 'comments', reviewId]);
    expect(comment).toMatchObject({
      body: `This undoes ${fixId}, on purpose:\n${FILE}:2-4`,
      status: 'CLOSED',
      filePath: FILE,
      line: 2,
    });
    await checkout.json(['review', 'record-build', reviewId, '--version', '1.0.1']);
    const landed = await drive(checkout, '--refuse-undone');
    expect(JSON.parse(landed.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    await untilExamined(checkout, reviewId);
    expect(await foundBy(checkout, fixId)).toMatchObject({ undoneBy: [], revertedBy: [{ reviewId }] });
  });

  it('that has landed: the service says so on both reviews', async () => {
    const { checkout, fixId } = await landFix('landed');
    await checkout.git('merge', '--quiet', '--strategy=ours', '--no-edit', 'origin/main');
    const reviewId = await submit(checkout);
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({
      reviews: [{ reviewId, outcome: 'MERGED' }],
    });
    await untilExamined(checkout, reviewId);
    const place = { path: FILE, firstLine: 2, lastLine: 4, kind: 'dropped_by_merge', certainty: 'sure' };
    expect(await foundBy(checkout, reviewId)).toMatchObject({
      findings: [{ ...place, reviewId: fixId, reviewName: FIX }],
      undoneBy: [],
    });
    expect(await foundBy(checkout, fixId)).toMatchObject({
      findings: [],
      undoneBy: [{ ...place, reviewId }],
    });
  });

  it('by an old snapshot on its tip, which is advice by default and is refused by the project’s file', async () => {
    const { checkout, fixId } = await landFix('snapshot');
    await checkout.git('merge', '--quiet', '--no-edit', 'origin/main');
    await checkout.commit({ [FILE]: BEFORE }, 'Tidy up');
    const reviewId = await submit(checkout);
    expect(await undoes(checkout, reviewId)).toMatchObject({
      findings: [{ reviewId: fixId, kind: 'restored', certainty: 'sure' }],
    });
    await checkout.git('switch', '--quiet', '--detach', 'origin/main');
    await checkout.commit({ '.plat/config.yaml': 'gate:\n  refuseUndone: true\n' }, 'Refuse');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({ reviews: [{ outcome: 'FAILED' }] });
  });

  it('is not said of a branch that keeps the lines', async () => {
    const { checkout } = await landFix('honest');
    await checkout.git('merge', '--quiet', '--no-edit', 'origin/main');
    const reviewId = await submit(checkout);
    expect(await undoes(checkout, reviewId)).toMatchObject({ findings: [], reverts: [] });
    const landed = await drive(checkout, '--refuse-undone');
    expect(JSON.parse(landed.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    expect(landed.stderr).not.toContain('takes back');
  });
});
