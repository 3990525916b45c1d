import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { execFile, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { type Checkout, DriveStand, waitForExit } from './drive-stand';
import { InterveningProxy } from './intervening-proxy';

jest.setTimeout(120_000);

interface Driven {
  reviewId: string;
  outcome: string;
  mergeCommit?: string;
  detail?: string;
  pullRequest?: { closed: boolean; number?: number; reason?: string };
}

/** A project's own build, whose tests fail if there is a file FAIL. */
const BUILD = 'echo "gate $PLAT_BUILD_GATE of $PLAT_BUILD_VERSION"; test ! -e FAIL';
const DRIVE = ['drive', '--target', 'main'];

describe('plat drive, by build --gate and close-pr', () => {
  let stand: DriveStand;
  const forges: Array<{ close(): Promise<void> }> = [];
  beforeAll(async () => {
    stand = await DriveStand.set();
    await stand.signInToForge(FORGE_TOKEN);
  });
  afterAll(() => Promise.all([stand.strike(), ...forges.map((forge) => forge.close())]));

  /** A repository with a build script, and the forge that it is on. */
  async function setUp(name: string, script = BUILD) {
    const checkout = await stand.repository(`acme/${name}`, script);
    const forge = await ForgeDouble.start(`acme/${name}`);
    const proxy = await InterveningProxy.start(forge.url);
    forges.push(forge, proxy);
    const line = [...DRIVE, '--forge-url', proxy.url];
    return {
      checkout,
      forge,
      proxy,
      line,
      async drive(...more: string[]) {
        const run = await checkout.plat([...line, ...more]);
        return { ...run, result: JSON.parse(run.stdout) as { reviews: Driven[] } };
      },
      async proposeWithPull(branch: string, files: Record<string, string>) {
        const reviewId = await checkout.propose(branch, files);
        return { reviewId, pull: forge.openPull(branch, await tip(checkout, branch)) };
      },
    };
  }

  const tip = (checkout: Checkout, branch: string) => checkout.git('rev-parse', branch);
  const status = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ status: string }>(['review', 'show', id])).status;

  it('takes three reviews through the queue unattended, one failing and one conflicting', async () => {
    const { checkout, forge, drive, proposeWithPull } = await setUp('three');
    const good = await proposeWithPull('feature/1-good', { 'README.md': 'good\n' });
    const red = await proposeWithPull('feature/2-red', { FAIL: 'x\n' });
    const clash = await proposeWithPull('feature/3-clash', { 'README.md': 'clash\n' });

    const { code, result, stderr } = await drive();
    expect(result.reviews).toMatchObject([
      { reviewId: good.reviewId, outcome: 'MERGED', pullRequest: { number: 1, closed: true } },
      { reviewId: red.reviewId, outcome: 'FAILED', detail: expect.stringContaining('it exited with 1') },
      {
        reviewId: clash.reviewId,
        outcome: 'FAILED',
        detail: expect.stringContaining('conflicts in README.md'),
      },
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/gate true of 1\.4\.0-snapshot-\d{14}/);
    expect(forge.pulls.map(({ state }) => state)).toEqual(['closed', 'open', 'open']);
    expect(good.pull.comments).toEqual([`Landed on \`main\` as ${result.reviews[0]?.mergeCommit}.`]);
    expect(await checkout.git('ls-remote', 'origin', 'refs/heads/main')).toContain(
      result.reviews[0]?.mergeCommit,
    );
    expect(await checkout.git('status', '--porcelain')).toBe('');
    for (const [{ reviewId }, expected] of [
      [good, 'MERGED'],
      [red, 'FAILED'],
      [clash, 'FAILED'],
    ] as const) {
      expect(await status(checkout, reviewId)).toBe(expected);
    }
  });

  it.each([
    ['the comment', /^POST .*\/comments$/],
    ['the closing', /^PATCH .*\/pulls\/1$/],
  ])(
    'after a kill -9 at %s of the pull request a drive goes on there, and comments once',
    async (name, route) => {
      const { checkout, forge, proxy, line, drive, proposeWithPull } = await setUp(`at-${name.slice(4)}`);
      const { reviewId, pull } = await proposeWithPull('feature/1-good', { 'README.md': 'good\n' });
      const child = checkout.start(line);
      proxy.insteadOfAnswer(route, () => child.kill('SIGKILL'));
      expect((await waitForExit(child)).code).toBeNull();
      expect(await status(checkout, reviewId)).toBe('MERGED');
      expect((await drive()).result.reviews).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
      expect(forge.pulls.map(({ state }) => state)).toEqual(['closed']);
      expect(pull.comments).toHaveLength(1);
      expect((await drive()).result.reviews).toEqual([]);
    },
  );

  it('ends the gate of a drive that was killed with -9, and gates again', async () => {
    const script = 'test -e ../gate.pid && exit 0; echo $$ > ../gate.pid; echo waiting; exec sleep 300';
    const { checkout, line, drive, proposeWithPull } = await setUp('left', script);
    const { reviewId } = await proposeWithPull('feature/1-good', { 'README.md': 'good\n' });
    const child = checkout.start(line);
    for await (const chunk of child.stderr!) if (String(chunk).includes('waiting')) break;
    child.kill('SIGKILL');
    await waitForExit(child);
    const gate = Number(await readFile(`${checkout.folder}/../gate.pid`, 'utf8'));
    expect(await isAtWork(gate)).toBe(true);

    const { result, stderr } = await drive();
    expect(stderr).toContain('The gate of an earlier drive was still at work: it is ended.');
    expect(await isAtWork(gate)).toBe(false);
    expect(result.reviews).toMatchObject([{ reviewId, outcome: 'MERGED' }]);
  });

  it('reports a pull request that moved after the gate, undoes nothing, and exits with 1', async () => {
    const { checkout, forge, drive } = await setUp('ahead');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const pull = forge.openPull('feature/1-good', 'a'.repeat(40));
    const { code, result } = await drive();
    expect(code).toBe(1);
    expect(result.reviews).toMatchObject([
      { outcome: 'MERGED', pullRequest: { closed: false, reason: expect.stringContaining('has moved') } },
    ]);
    expect(pull).toMatchObject({ state: 'open', comments: [] });
    expect(await status(checkout, reviewId)).toBe('MERGED');
  });

  it('reports that it knows no forge, and lands the review without one', async () => {
    const checkout = await stand.repository('elsewhere', BUILD);
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const run = await checkout.plat(DRIVE);
    expect(JSON.parse(run.stdout)).toMatchObject({ reviews: [{ reviewId, outcome: 'MERGED' }] });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('No pull request is closed: ') });
  });

  it('fails a review whose merge cannot be built, if the target can be', async () => {
    const { checkout, drive } = await setUp('unbuildable');
    const reviewId = await checkout.propose('feature/1-bad', { VERSION: 'not a version\n' });
    expect((await drive()).result.reviews).toMatchObject([
      { reviewId, outcome: 'FAILED', detail: expect.stringContaining('holds no version') },
    ]);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('fails no review if the target cannot be built, and goes on once the target is repaired', async () => {
    const checkout = await stand.repository('nothing');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const run = await checkout.plat(DRIVE);
    expect(JSON.parse(run.stdout)).toMatchObject({ code: 'NOTHING_TO_BUILD', exitCode: 1 });
    expect(await status(checkout, reviewId)).toBe('MERGE');
    expect((await checkout.plat([...DRIVE, '--gate-command', 'true'])).code).toBe(0);
    expect(await status(checkout, reviewId)).toBe('MERGED');
  });

  it('plans the whole order under --dry-run, including the pull request', async () => {
    const { checkout, forge, proxy, line } = await setUp('planned');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    forge.openPull('feature/1-good', await tip(checkout, 'feature/1-good'));
    const run = await checkout.plat([...line, '--dry-run']);
    expect(run).toMatchObject({ code: 0 });
    const { plan } = JSON.parse(run.stdout) as { plan: string[] };
    expect(plan).toContain('plat build --gate --no-push --no-report');
    expect(plan.slice(-2)).toEqual([
      `forge: POST ${proxy.url}/repos/acme/planned/issues/1/comments`,
      `forge: PATCH ${proxy.url}/repos/acme/planned/pulls/1`,
    ]);
    expect(forge.writes).toEqual([]);
  });
});

/** Whether a process runs. A process that has ended but is not reaped yet does not run. */
async function isAtWork(pid: number): Promise<boolean> {
  const asked = promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
