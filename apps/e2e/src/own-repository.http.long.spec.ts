import { join } from 'node:path';
import { git } from '@plat/testing';
import { type Checkout, DriveStand } from './drive-stand';

jest.setTimeout(120_000);

const OWN = join(__dirname, '../../..');
const GATE = 'test -s README.md';

describe('the gate’s own repository', () => {
  let stand: DriveStand;
  let checkout: Checkout;
  let commitsBefore: number;
  beforeAll(async () => {
    stand = await DriveStand.set();
    const begun = await stand.repository('plat');
    commitsBefore = await takeOver(begun);
    checkout = await stand.anotherCheckout(begun, 'clone');
  });
  afterAll(() => stand.strike());

  /** Pushes the history of this repository, which a shallow checkout does not have. @returns its first-parent commits */
  async function takeOver({ folder }: Checkout): Promise<number> {
    const own = (...args: string[]) => git(OWN, ['-c', 'safe.directory=*', ...args]);
    const isShallow = (await own('rev-parse', '--is-shallow-repository')) === 'true';
    if (!isShallow) await own('push', '--quiet', '--force', `${folder}.git`, 'HEAD:refs/heads/main');
    return Number(await git(`${folder}.git`, ['rev-list', '--first-parent', '--count', 'main']));
  }

  async function untilSealed(landings: number): Promise<void> {
    for (;;) {
      const { body } = await stand.service.send('alice', 'GET /v1/audit-log/entries?kind=landing');
      if ((body as { entries: object[] }).entries.length >= landings) return;
    }
  }

  async function check(...args: string[]) {
    const { code, stdout } = await checkout.plat(['ledger', 'check', '--target-branch', 'main', ...args]);
    return { code, ...(JSON.parse(stdout) as { sound: boolean; rows: object[]; commitsBefore: number }) };
  }

  it('is checked by plat ledger check: two landings have receipts, and a push past the queue is named', async () => {
    await checkout.propose('feature/1-changes', { 'CHANGELOG.md': 'Changed.\n' });
    await checkout.propose('feature/2-readme', { 'README.md': 'Changed.\n' });
    const drive = await checkout.plat(['drive', '--target-branch', 'main', '--gate-command', GATE]);
    expect(drive).toMatchObject({ code: 0 });
    // Whether the first landings are sealed already or not.
    expect(await check()).toMatchObject({ code: 0, sound: true, rows: [{}, {}] });
    await untilSealed(2);
    const names = ['Review of feature/2-readme', 'Review of feature/1-changes'];
    const landed = names.map((name) => expect.objectContaining({ verdict: 'LANDED', name }) as unknown);
    expect(await check()).toMatchObject({ code: 0, sound: true, rows: landed, commitsBefore });

    await checkout.git('pull', '--quiet', 'origin', 'main');
    await checkout.commit({ 'SECURITY.md': 'Changed.\n' }, 'Change without review');
    await checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    const bypass = expect.objectContaining({
      verdict: 'BYPASS',
      subject: 'Change without review',
    }) as unknown;
    const found = { code: 1, sound: false, rows: [bypass, ...landed], commitsBefore };
    expect(await check()).toMatchObject(found);

    const exported = join(stand.home, 'log');
    await checkout.json(['audit', 'export', exported]);
    const { body } = await stand.service.send('alice', 'GET /v1/audit-log/keys');
    const { verifierKey } = (body as { keys: { verifierKey: string }[] }).keys[0]!;
    expect(await check('--export', exported, '--key', verifierKey)).toMatchObject(found);
  });
});
