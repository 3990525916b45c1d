import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

describe('plat submit', () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());
  const onBranch = async (checkout: Checkout, branch: string) => {
    await checkout.git('switch', '--quiet', '--create', branch, 'main');
    await checkout.commit({ 'limits.txt': `${branch}\n` }, `Work on ${branch}`);
  };

  it('records a build that ran elsewhere, and waits until the review is merged', async () => {
    const checkout = await stand.repository('elsewhere');
    await onBranch(checkout, 'feature/1-limits');
    const waiting = checkout.plat(['submit', '--version', '1.4.0', '--name', 'Add limits', '--wait']);
    const driver = await stand.anotherCheckout(checkout, 'elsewhere-driver');
    await driver.json(['review', 'wait', 'feature/1-limits', '--until', 'MERGE']).catch(() => undefined);
    for (let merged = false; !merged;) {
      const { reviews: driven } = await driver.json<{ reviews: { outcome: string }[] }>([
        ...['drive', '--target-branch', 'main', '--gate-command', 'true'],
      ]);
      merged = driven.some(({ outcome }) => outcome === 'MERGED');
    }
    const run = await waiting;
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      review: { status: 'MERGED', name: 'Add limits' },
      ...{ created: true, build: { version: '1.4.0' } },
    });
  });
});
