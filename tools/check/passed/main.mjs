import { join } from 'node:path';
import { staleSpecs } from '../../peers/passed.mjs';
import { selectedSpecs } from '../../peers/selected-specs.mjs';

/**
 * Prints each spec that CI would run again against other people's servers because the committed record of what passed is
 * older than what it rests on, and the command that renews the record. Fails if there is one, or if no spec names its paths.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const kept = (await selectedSpecs(root, [])).filter(({ paths }) => paths.length > 0);
const stale = await staleSpecs(root, kept);
for (const { file, reason } of stale) process.stdout.write(`${file}: ${reason}\n`);
if (stale.length > 0) {
  process.stdout.write(
    'tools/peers/passed.json is stale. To renew it, run this and commit the record:\n' +
      '  npm run test:peers -- --stale\n',
  );
}
process.stdout.write(`${kept.length} records of passed specs, ${stale.length} stale\n`);
process.exitCode = stale.length === 0 && kept.length > 0 ? 0 : 1;
