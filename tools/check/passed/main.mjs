import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { staleSpecs } from '../../peers/passed.mjs';
import { specOf } from '../../peers/spec-comment.mjs';
import { filesOf } from '../references/repository.mjs';

/**
 * Prints each `.peers.spec.ts` that CI would run again because the committed record of what passed is older than what it
 * rests on, and the command that renews the record. Fails if there is one, or if no spec names its paths.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const files = filesOf(root).filter((path) => path.endsWith('.peers.spec.ts'));
const specs = await Promise.all(
  files.map(async (file) => specOf(file, await readFile(join(root, file), 'utf8'))),
);
const kept = specs.filter(({ paths }) => paths.length > 0);
const stale = await staleSpecs(root, kept);
for (const { file, reason } of stale) process.stdout.write(`${file}: ${reason}\n`);
if (stale.length > 0) {
  const names = stale.map(({ file }) => file).join(' ');
  process.stdout.write(
    `tools/peers/passed.json is stale. To renew it, run this and commit the record:\n  npm run test:peers -- ${names}\n`,
  );
}
process.stdout.write(`${kept.length} records of passed specs, ${stale.length} stale\n`);
process.exitCode = stale.length === 0 && kept.length > 0 ? 0 : 1;
