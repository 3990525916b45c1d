import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

interface Driven {
  reviewId: string;
  outcome: string;
  mergeCommit?: string;
  detail?: string;
}

const DRIVE = ['drive', '--target-branch', 'main', '--gate-command'];
const GATE = 'echo checking; test ! -e FAIL';

describe('plat drive', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const drive = (checkout: Checkout, gate = GATE, ...more: string[]) =>
    checkout.plat([...DRIVE, gate, ...more]);
  const review = (checkout: Checkout, id: string) =>
    checkout.json<{ status: string; lastFailedBuildId?: string }>(['review', 'show', id]);
  const gateRuns = async (checkout: Checkout, id: string) =>
    (await checkout.json<{ gateRuns: { verdict: string }[] }>(['gate', 'list', '--review', id])).gateRuns;
  const gateBuilds = async (checkout: Checkout, id: string) =>
    (
      await checkout.json<{ kind: string; failureDetail?: string }[]>([
        'api',
        'GET',
        `/v1/reviews/${id}/builds`,
      ])
    ).filter(({ kind }) => kind === 'GATE');
  const originMain = async (checkout: Checkout) =>
    (await checkout.git('ls-remote', 'origin', 'refs/heads/main')).split('\t')[0];

  it('takes three reviews through the queue unattended, one failing and one conflicting', async () => {
    const checkout = await stand.repository('three');
    const good = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const red = await checkout.propose('feature/2-red', { FAIL: 'x\n' });
    const clash = await checkout.propose('feature/3-clash', { 'README.md': 'clash\n' });
    await checkout.git('switch', '--quiet', 'feature/2-red');
    await writeFile(join(checkout.folder, 'README.md'), 'being written\n');
    const before = await checkout.own();

    const run = await drive(checkout);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stderr).toContain(
      'Not merged: 2 of 3.\n  "Review of feature/2-red" is FAILED: The gate exited with 1.',
    );
    const { reviews } = JSON.parse(run.stdout) as { reviews: Driven[] };
    expect(reviews).toMatchObject([
      { reviewId: good, outcome: 'MERGED' },
      { reviewId: red, outcome: 'FAILED', detail: 'The gate exited with 1.\nchecking' },
      { reviewId: clash, outcome: 'FAILED', detail: expect.stringContaining('conflicts in README.md') },
    ]);
    expect(await originMain(checkout)).toBe(reviews[0]?.mergeCommit);
    expect(await checkout.git('show', `${reviews[0]?.mergeCommit}:README.md`)).toBe('good');
    expect(await checkout.own()).toBe(before);
    expect((await review(checkout, good)).status).toBe('MERGED');
    expect((await review(checkout, clash)).status).toBe('FAILED');
    expect((await gateBuilds(checkout, red))[0]?.failureDetail).toContain('exited with 1');
    for (const [id, verdict] of [
      [good, 'PASSED'],
      [red, 'FAILED'],
      [clash, 'FAILED'],
    ] as const) {
      expect((await gateRuns(checkout, id)).map((one) => one.verdict)).toEqual([verdict]);
    }
    expect(JSON.parse((await drive(checkout)).stdout)).toMatchObject({ reviews: [] });
  });

  it('takes the claim before any review is read, and reads none where someone else holds it', async () => {
    const checkout = await stand.repository('claimed');
    await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const lease = join(stand.home, '.plat/acme/claimed/leases/environment.json');
    const environment = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'claimed' };
    const claims: unknown[] = [];
    const atNextCall = () =>
      stand.proxy.insteadOfAnswer(/^/, () => claims.push(JSON.parse(readFileSync(lease, 'utf8'))));
    atNextCall();
    await checkout.plat([...DRIVE, GATE], environment);
    expect(claims).toMatchObject([{ scope: 'environment', holder: 'plat drive --target-branch main' }]);
    const take = ['activity', 'lease', 'take', '--exclusive', '--scope', 'environment'];
    expect((await checkout.plat(take, environment)).code).toBe(0);
    atNextCall();
    const refused = await checkout.plat([...DRIVE, GATE], environment);
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'CLAIMED', exitCode: 1 });
    expect(claims).toHaveLength(1);
    stand.proxy.answerAll();
  });

  it('probes for an alias before git or the claim is touched: 127, and no lease file', async () => {
    const checkout = await stand.repository('without-alias');
    const environment = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'none' };
    const before = await checkout.git('for-each-ref');
    const run = await checkout.plat([...DRIVE, GATE, '--alias', 'nowhere'], environment);
    expect(run.code).toBe(127);
    expect(JSON.parse(run.stdout)).toMatchObject({ code: 'UNKNOWN_ALIAS', exitCode: 127 });
    expect(existsSync(join(stand.home, '.plat/acme/none'))).toBe(false);
    expect(existsSync(join(checkout.folder, '.git/plat'))).toBe(false);
    expect(await checkout.git('for-each-ref')).toBe(before);
  });

  it('plans the next review under --dry-run and touches nothing', async () => {
    const checkout = await stand.repository('planned');
    const reviewId = await checkout.propose('feature/1-good', { 'README.md': 'good\n' });
    const before = await checkout.git('for-each-ref');
    const { plan } = JSON.parse((await drive(checkout, GATE, '--dry-run')).stdout) as { plan: string[] };
    expect(plan).toContain(GATE);
    expect(plan.at(-1)).toBe(`platform: PATCH ${stand.proxy.url}/v1/reviews/${reviewId}/status`);
    expect(await checkout.git('for-each-ref')).toBe(before);
    expect((await review(checkout, reviewId)).status).toBe('MERGE');
  });
});
