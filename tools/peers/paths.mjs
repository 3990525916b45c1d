/** Prints the paths of peers' programs as JSON, after installing what is missing. Usage: node paths.mjs nginx pgbouncer */
import { setUp } from './set-up.mjs';

const found = await setUp(process.argv.slice(2), (line) => process.stderr.write(`${line}\n`));
process.stdout.write(JSON.stringify(found));
