import 'reflect-metadata';
import { examineDatabase, INVARIANTS } from '@plat/invariants';
import { describeFailure } from './failure';
import { ownerUrlOf } from './owner-url';
import { withSecretFiles } from './secret-files';

/**
 * Prints the promises that the rows of DATABASE_URL break, with the rows. Ends with 1 when there are any. It reaches the
 * database by the variables of the commands of `npm run db`.
 */
async function main(): Promise<void> {
  const broken = await examineDatabase(ownerUrlOf(withSecretFiles(process.env)));
  for (const { promise, rows } of broken) {
    process.stdout.write(`BROKEN: ${promise}\n`);
    for (const row of rows) process.stdout.write(`  ${JSON.stringify(row)}\n`);
  }
  const held = INVARIANTS.length - broken.length;
  process.stdout.write(`${held} of ${INVARIANTS.length} invariants hold\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
});
