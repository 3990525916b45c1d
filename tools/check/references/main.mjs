import { join } from 'node:path';
import { examine } from './repository.mjs';

/** Prints what leads nowhere, a line each, and fails if there is anything, or if no reference is found at all. */
const { faults, references, links } = examine(join(import.meta.dirname, '..', '..', '..'));
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${references} references and ${links} links, ${faults.length} of them lead nowhere\n`);
process.exitCode = faults.length === 0 && references > 0 ? 0 : 1;
