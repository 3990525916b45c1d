import { generateKeyPairSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Client } from 'pg';
import { type ServerProcess, TEST_TENANTS, TEST_USERS } from '@plat/testing';
import { onStand, type Stand } from '../http/stand';
import { text, UsageError, type ValuesOf, wholeNumber } from '../options';
import { partOf, progress } from '../part';
import { measureClient } from './client';
import { makePastPartitions } from './past-partitions';
import { measureProofs } from './proofs';
import { clientTable, proofTable, requestsTable, sealingTable } from './report';
import { measureRequests } from './requests';
import { measureSealing, readSealedSize } from './sealing';
import { TRAIL_DAYS, writeTrail } from './trail';

const BUILT = ['apps/reviews', 'apps/builds', 'apps/audit'];
const ACME = { tenantId: TEST_TENANTS.acme.tenantId, userId: TEST_USERS.alice.userId };

const SUBJECTS = ['requests', 'sealing', 'client'] as const;
const OPTIONS = {
  rows: wholeNumber('rows that are sealed, and exported', 500_000, 10_000),
  seconds: wholeNumber('length of a round of requests', 3),
  rounds: wholeNumber('rounds with sealing and without', 7),
  only: text(`${SUBJECTS.join(', ')} (with proofs in sealing)`, 'NAME'),
};
type Given = ValuesOf<typeof OPTIONS>;

/** The cost and the speed of sealing, the cost of a proof, and the client's needs for a whole log. */
export const ledgerPart = partOf(
  'the sealed log: requests next to the sealer, rows sealed, proofs, export and verify',
  OPTIONS,
  async (given, signal) => {
    const { only = '' } = given;
    if (!['', ...SUBJECTS].includes(only)) {
      throw new UsageError(`--only must be one of ${SUBJECTS.join(', ')}`);
    }
    process.stdout.write(`Node ${process.version}, ${availableParallelism()} CPUs\n\n`);
    await onStand(BUILT, (stand) => measure(stand, given, signal));
  },
);

async function measure(stand: Stand, given: Given, signal: AbortSignal): Promise<void> {
  const owner = new Client({ connectionString: stand.ownerUrl });
  await owner.connect();
  stand.keep(() => owner.end());
  const isAsked = (subject: (typeof SUBJECTS)[number]) => given.only === undefined || given.only === subject;
  const bench = { stand, owner, given, sealing: sealingEnvironment(), signal };
  if (isAsked('requests')) {
    const measured = await measureRequests(stand, owner, { ...given, ...bench });
    process.stdout.write(`${requestsTable(measured)}\n`);
  }
  if (isAsked('sealing')) await measureLog(bench);
  if (isAsked('client')) {
    const commands = await measureClient(stand.folder, given.rows, signal);
    process.stdout.write(clientTable(commands, given.rows));
  }
}

interface Bench {
  stand: Stand;
  owner: Client;
  given: Given;
  /** The variables of an audit service that seals. */
  sealing: Record<string, string>;
  signal: AbortSignal;
}

/** Seals a trail: the first half as rows older than the log, the second as rows that come to it. Then it proves entries. */
async function measureLog({ stand, owner, given: { rows }, sealing, signal }: Bench): Promise<void> {
  // Keeps checkpoints of the database from falling into one half and not the other.
  await owner.query(`ALTER SYSTEM SET max_wal_size = '8GB'`);
  await owner.query('SELECT pg_reload_conf()');
  await makePastPartitions(owner, 'audit.audit_events', TRAIL_DAYS);
  const half = Math.floor(rows / 2);
  let audit: ServerProcess | undefined;
  const sealer = { start: async () => (audit = await stand.startService('audit', sealing)) };
  const rates = [];
  for (const [name, from, until] of [
    ['older than the log', 0, half],
    ['that come to the log', half, rows],
  ] as const) {
    progress(`writing ${until - from} rows ${name}`);
    await audit?.stop();
    await writeTrail(owner, ACME, { from, until, of: rows });
    await owner.query('VACUUM ANALYZE');
    progress('sealing them');
    rates.push(
      await measureSealing(owner, sealer, { name, tenantId: ACME.tenantId, rows: until - from, signal }),
    );
  }
  process.stdout.write(`${sealingTable(rates)}\n`);
  progress('proving entries');
  await owner.query('VACUUM ANALYZE');
  const [review] = await stand.seed.openReviews('alice', 'proven', 1);
  const proof = await measureProofs(owner, {
    tenantId: ACME.tenantId,
    token: await stand.token('alice'),
    auditUrl: audit!.url,
    reviewsUrl: (await stand.startService('reviews')).url,
    reviewId: review!.reviewId,
    signal,
  });
  process.stdout.write(`${proofTable(proof, await readSealedSize(owner, ACME.tenantId))}\n`);
  await audit!.stop();
}

/** A key for the bench, and rows that are due at the age of a second. */
function sealingEnvironment(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const LEDGER_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { LEDGER_KEY, LEDGER_HOST: 'plat.example', LEDGER_SEAL_SECONDS: '1' };
}
