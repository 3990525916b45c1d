import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type MergeReceipt } from '@plat/api-client';
import { canonicalRepository } from '@plat/remote';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';
import { serveReceipt } from '../black-box/served-receipt';
import { gitIn } from '../git/git';
import type { ReceiptSubject } from './receipt-subject';
import { landingLine, type VerifiedReceipt, verifyReceipt } from './verify-receipt';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const BRANCH = 'feature/1';

describe('a receipt is confirmed', () => {
  let home: string;
  let checkout: GateCheckout;
  let platform: PlatformDouble;
  let reviewed: string;
  let landed: string;

  /** A review that was landed by a squash merge. */
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-receipt-spec-'));
    checkout = await GateCheckout.create({ home } as Machine);
    platform = await PlatformDouble.start();
    reviewed = await checkout.branch(BRANCH, { 'limits.txt': 'limits\n' });
    await checkout.git('merge', '--quiet', '--squash', BRANCH);
    await checkout.git('commit', '--quiet', '-m', 'Add limits');
    await checkout.git('push', '--quiet', 'origin', 'main');
    landed = await checkout.git('rev-parse', 'HEAD');
  });
  afterEach(async () => {
    await platform.close();
    await rm(home, { recursive: true });
  });

  const identity = () => canonicalRepository(checkout.origin)!;
  /** The person's own checkout of the repository. */
  const own = () => ({ checkout: { git: gitIn(checkout.folder), repository: identity() } });
  const elsewhere = 'https://git.example.com/acme/other';

  interface Given {
    unsigned?: object;
    /** The words of the person, other than the review by its id and the repository by its origin. */
    subject?: Partial<ReceiptSubject>;
  }

  /** Verifies a receipt with these facts, signed with a trusted key. */
  async function verifyWith(
    facts: Partial<MergeReceipt> = {},
    { unsigned = {}, subject }: Given = {},
  ): Promise<VerifiedReceipt> {
    const [tree, parent] = (await checkout.git('log', '-1', '--format=%T %P', landed)).split(' ');
    const statement = {
      ...{ statementVersion: 1, tenantId: ID, reviewId: ID, name: 'Add limits', status: 'MERGED' },
      ...{ sourceBranch: BRANCH, targetBranch: 'main', remoteUrl: checkout.origin, sourceTip: reviewed },
      ...{ targetTip: landed, commitId: landed, treeId: tree, parentCommitId: parent },
      ...{ contentVerdict: 'EXACT', ...facts },
    };
    await serveReceipt(platform, statement, unsigned);
    const probe = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
    return verifyReceipt(probe, {
      subject: { reviewId: ID, name: ID, repository: { identity: identity() }, ...subject },
      logKeys: [],
      configFolder: home,
      interrupted: new AbortController().signal,
      progress: (_what, work) => work,
    });
  }

  const result = ({ findings }: VerifiedReceipt, check: string) =>
    findings.find((finding) => finding.check === check)?.result;

  it('of a source that is the tip of its branch, or on a branch that has moved on', async () => {
    expect(await verifyWith()).toMatchObject({ outcome: 'CONFIRMED' });
    await checkout.git('switch', '--quiet', BRANCH);
    await checkout.commit({ later: 'later\n' }, 'Later');
    await checkout.git('push', '--quiet', 'origin', BRANCH);
    const later = await verifyWith();
    expect({ outcome: later.outcome, source: result(later, 'source') }).toEqual({
      outcome: 'CONFIRMED',
      source: 'ok',
    });
  });

  describe('is about what the person named', () => {
    it.each(['branch', 'id', 'part of an id', 'target', 'commit'])('by its %s', async (what) => {
      const named: Record<string, Partial<ReceiptSubject>> = {
        branch: { name: BRANCH },
        id: { name: ID },
        'part of an id': { name: ID.slice(-8).toUpperCase() },
        target: { targetBranch: 'main' },
        commit: { sourceCommit: reviewed },
      };
      const verification = await verifyWith({}, { subject: named[what]! });
      expect(verification).toMatchObject({
        ...{ outcome: 'CONFIRMED', repository: identity(), sourceBranch: BRANCH, targetBranch: 'main' },
      });
      expect(landingLine(verification)).toBe(
        `The receipt says that ${BRANCH} at ${reviewed} landed on main of ${identity()}.`,
      );
    });
  });

  describe('after its source branch was deleted', () => {
    beforeEach(() => checkout.git('push', '--quiet', 'origin', `:${BRANCH}`));

    it('by the commit that the person names', async () => {
      const named = { subject: { sourceCommit: reviewed } };
      expect(await verifyWith({}, named)).toMatchObject({ outcome: 'CONFIRMED' });
      expect(await verifyWith({ sourceTip: undefined }, named)).toMatchObject({ outcome: 'CONFIRMED' });
    });

    it.each<[string, () => Promise<Given>, Partial<MergeReceipt>]>([
      ['no one has it', async () => ({}), {}],
      ['it never existed', async () => ({ subject: own() }), { sourceBranch: 'feature/9-z' }],
      ["the person's own branch lacks the commit", ownBranchElsewhere, {}],
      ['the checkout is of another repository', async () => ({ subject: ofAnotherCheckout() }), {}],
    ])('and is not confirmed if %s', async (_what, given, facts) => {
      const unknown = await verifyWith(facts, await given());
      expect({ outcome: unknown.outcome, source: result(unknown, 'source') }).toEqual({
        ...{ outcome: 'NOT_CONFIRMED', source: 'undecided' },
      });
    });

    async function ownBranchElsewhere(): Promise<Given> {
      await checkout.git('branch', '--quiet', '--force', BRANCH, 'main');
      return { subject: own() };
    }

    const ofAnotherCheckout = () => ({ checkout: { ...own().checkout, repository: elsewhere } });
  });
});
