import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The validated configurations of the services, by the file that declares them. */
const CONFIGS = [
  'libs/service/src/configuration/config.ts',
  'libs/verifier/src/config.ts',
  'apps/platform/src/config.ts',
  'apps/reviews/src/config.ts',
  'apps/audit/src/config.ts',
];
/** The files in which the guide's commands read their variables. */
const COMMANDS = [
  'tools/db/command-line.ts',
  'tools/db/owner-url.ts',
  'tools/db/move-tenant.ts',
  'apps/console/src/server/config.ts',
];

/** Variables that Node itself reads. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS'];
/** Variables of the guide's own commands, which only the shell reads. */
const OF_SHELL = ['TARGET_TIME'];
/** Variables of the shell that the guide's own lines take. */
const OF_THE_GUIDE = ['DATABASE_ADDRESS', 'OWNER_ADDRESS', 'OWNER_PASSWORD'];

/** Variables that a service or a command of the operator's guide reads, and other words that are written like one. */
export async function readVariables(root) {
  const declared = await declaredVariables(root);
  const read = (await texts(root, COMMANDS)).flatMap((text) =>
    matches(text, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g),
  );
  return new Set([
    ...declared,
    ...declared.map((name) => `${name}_FILE`),
    ...read,
    ...OF_NODE,
    ...OF_SHELL,
    ...OF_THE_GUIDE,
    ...(await errorCodes(root)),
  ]);
}

/** The variables of the services' configurations, without those that name a file. */
export async function declaredVariables(root) {
  return (await texts(root, CONFIGS)).flatMap((text) =>
    matches(text, /^ {2}(?:readonly )?([A-Z][A-Z0-9_]*)[!?:]?[ :]/gm),
  );
}

/** Codes of refusals, which are written like variables. */
const errorCodes = async (root) =>
  (await texts(root, ['docs/errors.md'])).flatMap((text) => matches(text, /^## ([A-Z_]+)$/gm));

const texts = (root, files) => Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));

/** Variables that the guide names: those in its table, and every word of its text that is written like one. */
export function namedVariables(guide) {
  const cells = matches(guide, /^\| (`[^|]*) \|/gm).flatMap((cell) => matches(cell, /`([A-Z][A-Z0-9_]*)`/g));
  return new Set([...cells, ...matches(guide, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b/g)]);
}

const matches = (text, pattern) => Array.from(text.matchAll(pattern), ([, name]) => name);
