import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand, type PlatRun, waitForExit } from './drive-stand';

jest.setTimeout(120_000);

const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];

describe('a repository that the platform cannot read without credentials', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  interface Refusal {
    code: string;
    message: string;
    details: { next: string; reason?: string };
  }
  const refusal = ({ stdout }: PlatRun) => JSON.parse(stdout) as Refusal;
  const statusOf = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ status: string }>(['review', 'show', id])).status;
  const tip = (checkout: Checkout) => checkout.git('ls-remote', 'origin', 'refs/heads/main');
  /** Types the commands of a next step, which stand behind the text and have `&&` between them. */
  async function type(checkout: Checkout, next: string, text: string): Promise<void> {
    const commands = next.slice(next.indexOf(text) + text.length).split(' && ');
    for (const command of commands) {
      const [program, ...args] = command.trim().split(' ');
      expect(program).toBe('plat');
      await checkout.json(args);
    }
  }

  it('is named by doctor and by review create, and a drive refuses it before it merges or pushes', async () => {
    const checkout = await stand.repository('private');
    await stand.setPrivate(checkout, true);
    const reviewId = await checkout.propose('feature/1-limits', { 'limits.txt': '1\n' });
    const before = await tip(checkout);
    const driven = await checkout.plat([...DRIVE, 'touch ../gated']);
    expect(driven.code).toBe(1);
    expect(refusal(driven)).toMatchObject({
      code: 'REPOSITORY_UNREADABLE',
      details: { reason: 'remote_unreadable', next: expect.stringContaining('docs/private-repositories.md') },
    });
    // The platform has promoted the review of an idle queue itself.
    expect([await statusOf(checkout, reviewId), await tip(checkout)]).toEqual(['MERGE', before]);
    expect((await checkout.plat(['gate', 'list'])).stdout).not.toContain(reviewId);
    const examined = JSON.parse((await checkout.plat(['doctor'])).stdout) as object[];
    expect(examined).toContainEqual(
      expect.objectContaining({ check: 'repository', code: 'REPOSITORY_UNREADABLE' }),
    );
    await checkout.git('switch', '--quiet', '--create', 'feature/2-more', 'main');
    await checkout.commit({ 'more.txt': '2\n' }, 'More');
    await checkout.git('push', '--quiet', 'origin', 'feature/2-more');
    const created = await checkout.plat(['review', 'create']);
    expect([created.code, created.stderr]).toEqual([
      0,
      expect.stringContaining('cannot read http://127.0.0.1'),
    ]);
    await stand.setPrivate(checkout, false);
    await checkout.git('switch', '--quiet', 'main');
    expect(await checkout.json([...DRIVE, 'true'])).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
  });

  it('became so during the gate: the drive names what to type, and another drive ends once it can be read', async () => {
    const checkout = await stand.repository('hidden');
    await checkout.propose('feature/1-limits', { 'limits.txt': '1\n' });
    const refused = await driveWhileHidden(checkout);
    expect(refusal(refused)).toMatchObject({ code: 'MERGE_NOT_VERIFIED' });
    const givenUp = refusal(await checkout.plat(['drive', '--target-branch', 'main', '--give-up']));
    expect(givenUp.code).toBe('LANDED_ALREADY');
    await stand.setPrivate(checkout, false);
    expect(await checkout.json([...DRIVE, 'true'])).toMatchObject({ reviews: [{ outcome: 'MERGED' }] });
  });

  it('stays so after a push: each refusal names commands that end the review, and the queue goes on', async () => {
    const checkout = await stand.repository('closed');
    const reviewId = await checkout.propose('feature/1-limits', { 'limits.txt': '1\n' });
    const nexts = [
      refusal(await driveWhileHidden(checkout)),
      refusal(await checkout.plat(['drive', '--target-branch', 'main', '--give-up'])),
      refusal(await checkout.plat([...DRIVE, 'true'])),
    ].map(({ details }) => details.next);
    const typed = `plat review requeue ${reviewId} && plat review close ${reviewId}`;
    expect(nexts).toEqual(nexts.map(() => expect.stringContaining(typed)));
    await type(checkout, nexts[0]!, 'if it never may: ');
    expect(await statusOf(checkout, reviewId)).toBe('CLOSED');
    await stand.setPrivate(checkout, false);
    await checkout.propose('feature/2-more', { 'more.txt': '2\n' });
    expect(JSON.parse((await checkout.plat([...DRIVE, 'true'])).stdout)).toMatchObject({
      reviews: [{ outcome: 'ABANDONED' }, { outcome: 'MERGED' }],
    });
  });

  /** A drive during whose gate the repository becomes private. */
  async function driveWhileHidden(checkout: Checkout): Promise<PlatRun> {
    await checkout.git('config', 'http.extraHeader', 'Authorization: Basic bWU6c2VjcmV0');
    const child = checkout.start([
      ...DRIVE,
      'echo gating; while test ! -e ../hidden.now; do sleep 0.05; done',
    ]);
    const run = waitForExit(child);
    for await (const chunk of child.stderr!) if (String(chunk).includes('gating')) break;
    child.stderr!.resume();
    await stand.setPrivate(checkout, true);
    await writeFile(join(checkout.folder, '../hidden.now'), '');
    const result = await run;
    await rm(join(checkout.folder, '../hidden.now'));
    return result;
  }
});
