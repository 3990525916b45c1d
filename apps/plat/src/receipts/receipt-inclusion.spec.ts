import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ApiClient, type MergeReceipt } from '@plat/api-client';
import { inclusionProof } from '@plat/ledger';
import { SealedLog } from '@plat/testing';
import { makeWaitingOlder } from '../black-box/older-waiting';
import { forkOf, serveLog } from '../black-box/served-log';
import { signedInMachine } from '../black-box/signed-in';
import { examine, type Finding } from '../doctor/examination';
import { readKeys } from '../sealed-log/log-keys';
import { logAccess } from './log-access';
import { checkInclusion } from './receipt-inclusion';
import type { VerifiedReceipt } from './verify-receipt';

const MINUTE = 60_000;
const notFound = { status: 404, body: { code: 'NOT_FOUND', message: 'Nothing is sealed yet.' } };

describe("the check of a receipt's inclusion", () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const log = new SealedLog();
    log.addAudit(300);
    serveLog(platform, log);
    const api = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
    /** @param texts of trusted keys */
    const checkReceipt = async (receipt: MergeReceipt, ...texts: string[]): Promise<Finding> => {
      const pinned = readKeys(texts);
      const access = logAccess(api, { configFolder: machine.configFolder, pinned });
      const [finding] = await examine([{ name: 'inclusion', look: () => checkInclusion(receipt, access) }]);
      return finding!;
    };
    return { log, machine, platform, found: checkReceipt };
  }

  /** Seals a statement, and proves that it is in the log as it is now. */
  async function sealStatement(
    log: SealedLog,
    statement: Record<string, unknown> = {},
  ): Promise<MergeReceipt> {
    const index = log.addLanding(statement);
    log.addAudit(5);
    return proven(log, index);
  }

  async function proven(log: SealedLog, index: number, key?: KeyObject): Promise<MergeReceipt> {
    const { leaf, shown } = log.entries[index]!;
    const hashes = await inclusionProof({ index, size: log.size }, log.reader());
    const inclusion = {
      index,
      leaf: leaf.toString(),
      salt: shown!.salt.toString('base64'),
      hashes: hashes.map((hash) => hash.toString('base64')),
      checkpoint: log.checkpoint(key && { keys: [key] }),
    };
    return { ...(JSON.parse(shown!.fields) as MergeReceipt), jws: 'j', inclusion };
  }

  it('is ok for a sealed statement, by the keys of the platform or pinned ones, as the log grows', async () => {
    const { log, found } = await setUp();
    const first = await sealStatement(log);
    expect(await found(first)).toMatchObject({ result: 'ok', detail: expect.stringContaining('entry 301') });
    expect(await found(await sealStatement(log), log.verifierKey())).toMatchObject({ result: 'ok' });
    expect(await found(first)).toMatchObject({ result: 'ok' });
  });

  it.each<[string, (receipt: MergeReceipt) => MergeReceipt]>([
    ['another statement', (receipt) => ({ ...receipt, contentVerdict: 'UNKNOWN' })],
    ['a field more', (receipt) => ({ ...receipt, treeId: '2'.repeat(40) })],
    ['another review', (receipt) => ({ ...receipt, reviewId: receipt.tenantId })],
    ['another tenant', (receipt) => ({ ...receipt, tenantId: receipt.reviewId })],
    ['another salt', (receipt) => withProof(receipt, { salt: Buffer.alloc(16).toString('base64') })],
    ['another place', (receipt) => withProof(receipt, { index: 300 })],
    ['a path that is cut', (receipt) => withProof(receipt, { hashes: receipt.inclusion!.hashes.slice(1) })],
    ['hashes that are none', (receipt) => withProof(receipt, { hashes: ['', 'x'] })],
    ['a leaf that is none', (receipt) => withProof(receipt, { leaf: '{}' })],
    ['a checkpoint that is none', (receipt) => withProof(receipt, { checkpoint: 'x' })],
  ])('fails for %s', async (_what, forge) => {
    const { log, found } = await setUp();
    expect(await found(forge(await sealStatement(log)))).toMatchObject({ result: 'failed' });
  });

  it('fails if no key of the log, or another than the pinned one, has signed the checkpoint', async () => {
    const { log, found } = await setUp();
    const index = log.addLanding();
    const { privateKey } = generateKeyPairSync('ed25519');
    const foreign = await proven(log, index, privateKey);
    expect(await found(foreign)).toMatchObject({ result: 'failed' });
    const receipt = await proven(log, index);
    expect(await found(receipt, log.verifierKey(privateKey))).toMatchObject({ result: 'failed' });
    expect(await found(receipt)).toMatchObject({ result: 'ok' });
  });

  it('fails for a log that contradicts what this client has seen, also under another name', async () => {
    const { log, platform, found } = await setUp();
    expect(await found(await sealStatement(log))).toMatchObject({ result: 'ok' });
    const fork = forkOf(log, 10);
    fork.addAudit(400);
    serveLog(platform, fork, [fork.key]);
    expect(await found(await sealStatement(fork))).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('contradicts'),
    });
    const renamed = new SealedLog(`other.example/log/${log.tenantId}`);
    serveLog(platform, renamed);
    expect(await found(await sealStatement(renamed))).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('other.example'),
    });
  });

  it('ends the command with exit code 3 for a log that contradicts, and with 1 for another fault', async () => {
    const { log, machine, platform } = await setUp();
    const exitCodeOf = async (receipt: MergeReceipt) => {
      const { reviewId } = receipt;
      platform.answer(`GET /v1/reviews/${reviewId}/merge-receipt`, { body: receipt });
      platform.answer('GET /v1/merge-receipt-keys', { body: { keys: [] } });
      const nowhere = ['--remote-url', `file://${machine.home}/nowhere`];
      const run = await machine.plat(['review', 'verify', reviewId, ...nowhere, '--json']);
      const { outcome, findings } = run.json<VerifiedReceipt>();
      return { code: run.code, outcome, inclusion: findings.find(({ check }) => check === 'inclusion') };
    };
    expect(await exitCodeOf(await sealStatement(log))).toMatchObject({
      ...{ code: 1, outcome: 'REFUTED', inclusion: { result: 'ok' } },
    });
    const fork = forkOf(log, 10);
    fork.addAudit(400);
    serveLog(platform, fork, [log.key]);
    const index = fork.addLanding();
    expect(await exitCodeOf(await proven(fork, index, log.key))).toMatchObject({
      ...{ code: 3, outcome: 'REFUTED', inclusion: { result: 'failed', code: 'LOG_CONTRADICTS' } },
    });
  });

  it.each(['that this client knows', 'for which the platform is asked'])(
    'fails for an old merge without a proof, in a log %s',
    async (which) => {
      const { log, platform, found } = await setUp();
      const at = (time: number) => new Date(Date.now() + time).toISOString();
      const { inclusion: _, ...receipt } = await sealStatement(log, { verifiedAt: at(-6 * MINUTE) });
      if (which === 'that this client knows') {
        expect(await found(await sealStatement(log))).toMatchObject({ result: 'ok' });
        platform.answer('GET /v1/audit-log/checkpoint', notFound);
      }
      expect(await found(receipt)).toMatchObject({ result: 'failed', code: 'NOT_SEALED' });
      expect(await found({ ...receipt, verifiedAt: at(6 * MINUTE) })).toMatchObject({ result: 'failed' });
      expect(await found({ ...receipt, verifiedAt: at(-MINUTE) })).toMatchObject({ result: 'skipped' });
      expect(await found({ ...receipt, contentJudgedAt: at(-MINUTE) })).toMatchObject({ result: 'skipped' });
    },
  );

  it('is undecided for a merge that always was verified a moment ago, once this client has waited for its proof', async () => {
    const { log, machine, found } = await setUp();
    const { inclusion: _, ...receipt } = await sealStatement(log);
    const now = () => ({ ...receipt, verifiedAt: new Date().toISOString() });
    expect(await found(now())).toMatchObject({ result: 'skipped' });
    expect(await found(now())).toMatchObject({ result: 'skipped' });
    await makeWaitingOlder(machine.configFolder, 6 * MINUTE);
    expect(await found(now())).toMatchObject({
      result: 'undecided',
      detail: 'it is not sealed yet, as 6 minutes ago, when this client looked.',
    });
  });

  it.each([
    ['nothing is sealed', 404, 'NOT_FOUND'],
    ['there is no log', 501, 'NOT_IMPLEMENTED'],
    ['the caller may not read it', 403, 'FORBIDDEN'],
  ])('is skipped without a proof, with the reason, if %s', async (reason, status, code) => {
    const { log, platform, found } = await setUp();
    const { inclusion: _, ...receipt } = await sealStatement(log);
    platform.answer('GET /v1/audit-log/keys', { status, body: { code, message: `Here ${reason}.` } });
    expect(await found(receipt)).toMatchObject({
      result: 'skipped',
      detail: expect.stringContaining(code === 'NOT_FOUND' ? 'is sealed yet' : `Here ${reason}.`),
    });
  });

  it("fails without a proof if the platform's log is of another tenant than the receipt says", async () => {
    const { log, found } = await setUp();
    const { inclusion: _, ...receipt } = await sealStatement(log);
    expect(await found({ ...receipt, tenantId: receipt.reviewId })).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('of another tenant'),
    });
  });

  it('is skipped with the reason for a caller who may not read the log, and undecided if the log is known', async () => {
    const { log, platform, found } = await setUp();
    const receipt = await sealStatement(log);
    const forbidden = { status: 403, body: { code: 'FORBIDDEN', message: 'The role does not permit it.' } };
    platform.answer('GET /v1/audit-log/keys', forbidden);
    expect(await found(receipt)).toMatchObject({
      result: 'skipped',
      detail: expect.stringContaining('The role does not permit it.'),
    });
    expect(await found({ ...receipt, name: 'Other' })).toMatchObject({ result: 'failed' });
    expect(await found(receipt, log.verifierKey())).toMatchObject({ result: 'ok' });
    expect(await found(receipt)).toMatchObject({ result: 'undecided' });
  });
});

const withProof = (
  receipt: MergeReceipt,
  proof: Partial<NonNullable<MergeReceipt['inclusion']>>,
): MergeReceipt => ({ ...receipt, inclusion: { ...receipt.inclusion!, ...proof } });
