import 'reflect-metadata';
import { examineDatabase, INVARIANTS } from '@plat/invariants';

/** Prints the promises that the rows of DATABASE_URL break, with the rows. Ends with 1 when there are any. */
async function main(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) throw new Error('DATABASE_URL is not set: name the database to look at.');
  const broken = await examineDatabase(databaseUrl);
  for (const { promise, rows } of broken) {
    process.stdout.write(`BROKEN: ${promise}\n`);
    for (const row of rows) process.stdout.write(`  ${JSON.stringify(row)}\n`);
  }
  const held = INVARIANTS.length - broken.length;
  process.stdout.write(`${held} of ${INVARIANTS.length} invariants hold\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
