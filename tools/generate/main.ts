import 'reflect-metadata';
import { join } from 'node:path';
import { findDrift, write } from './artefact';
import { artefacts } from './artefacts';

/** Two levels up from here, from the sources as well as from the folder of the bundle in dist. */
const root = join(__dirname, '..', '..');

/** `generate` writes every derived file; `generate --check` writes nothing and fails when one differs. */
async function main(args: string[]): Promise<void> {
  const checks = args.includes('--check');
  let differences = 0;
  for (const artefact of artefacts(root)) {
    const lines = checks ? await findDrift(root, artefact) : await write(root, artefact);
    differences += lines.length;
    for (const line of lines) process.stdout.write(`${checks ? '' : 'wrote '}${line}\n`);
  }
  if (checks && differences > 0) {
    process.stderr.write(
      'Derived files differ from their sources: run npm run generate and commit the result.\n',
    );
    process.exitCode = 1;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
