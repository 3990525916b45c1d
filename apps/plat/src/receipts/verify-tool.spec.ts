import { GateCheckout } from '../black-box/gate-checkout';
import { agentOverStdio } from '../black-box/mcp-agent';
import { serveReceipt } from '../black-box/served-receipt';
import { signedInMachine } from '../black-box/signed-in';
import type { VerifiedReceipt } from './verify-receipt';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const LANDED = 'feature/1-landed';
const MEANT = 'feature/2-meant';

describe('the tool review_verify', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  });

  /** An agent in a checkout whose branch is MEANT, and a platform that answers with the receipt of LANDED. */
  async function setUp(facts: object = {}) {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const checkout = await GateCheckout.create(machine);
    const sourceTip = await checkout.branch(LANDED, { 'landed.txt': 'landed\n' });
    await checkout.git('merge', '--quiet', '--ff-only', LANDED);
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.git('switch', '--quiet', '--create', MEANT);
    const branches = { sourceBranch: LANDED, targetBranch: 'main', remoteUrl: checkout.origin };
    const commits = { sourceTip, commitId: sourceTip, targetTip: sourceTip };
    await serveReceipt(platform, {
      ...{ statementVersion: 1, tenantId: ID, reviewId: ID, status: 'MERGED', contentVerdict: 'EXACT' },
      ...{ ...branches, ...commits, ...facts },
    });
    platform.answer('GET /v1/reviews', { body: [{ reviewId: ID, status: 'OPEN', sourceBranch: MEANT }] });
    platform.answer('GET /v1/audit-log/checkpoint', {
      status: 404,
      body: { code: 'NOT_FOUND', message: 'None.' },
    });
    const agent = await agentOverStdio(machine, { cwd: checkout.folder });
    disposals.push(() => agent.client.close());
    return async (given: Record<string, string>) => {
      const { isError, value } = await agent.call('review_verify', given);
      const { outcome, sourceBranch, findings } = value as VerifiedReceipt;
      const failed = findings.filter(({ result }) => result === 'failed').map(({ code }) => code);
      return { isError, outcome, sourceBranch, failed };
    };
  }

  it('confirms the receipt of the review that the agent names by its id', async () => {
    const verify = await setUp();
    const confirmed = { isError: false, outcome: 'CONFIRMED', sourceBranch: LANDED, failed: [] };
    expect(await verify({ reviewId: ID, targetBranch: 'main' })).toEqual(confirmed);
  });

  it('refutes the receipt of another branch than the agent names, or than the one that is checked out', async () => {
    const verify = await setUp();
    const failed = ['RECEIPT_OF_ANOTHER_REVIEW'];
    const refuted = { isError: true, outcome: 'REFUTED', sourceBranch: LANDED, failed };
    expect(await verify({ reviewId: MEANT })).toEqual(refuted);
    expect(await verify({})).toEqual(refuted);
    expect(await verify({ reviewId: ID, targetBranch: 'release' })).toEqual(refuted);
  });

  it('takes no remote from the agent, at which git would sign in', async () => {
    const { machine, dispose } = await signedInMachine();
    disposals.push(dispose);
    const agent = await agentOverStdio(machine);
    disposals.push(() => agent.client.close());
    const given = { reviewId: ID, remoteUrl: 'https://git.invalid/acme/app' };
    const { value } = await agent.call('review_verify', given);
    expect(value).toMatch(/Unrecognized key: "remoteUrl"/);
  });

  it("refutes the receipt of another repository than the checkout's", async () => {
    const verify = await setUp({ remoteUrl: 'https://git.example.com/acme/other' });
    const failed = ['RECEIPT_OF_ANOTHER_REPOSITORY'];
    expect(await verify({ reviewId: ID })).toMatchObject({ isError: true, outcome: 'REFUTED', failed });
  });
});
