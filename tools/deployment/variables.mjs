import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The validated configurations of the services, by the file that declares them. */
const CONFIGS = [
  'libs/service/src/config.ts',
  'libs/verifier/src/config.ts',
  'apps/platform/src/config.ts',
  'apps/reviews/src/config.ts',
];
/** The files in which the guide's commands read their variables. */
const COMMANDS = ['tools/db/main.ts', 'tools/db/owner-url.ts'];

/** Variables that a service or a command of the deployment's guide reads. */
export async function readVariables(root) {
  const texts = (files) => Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  const declared = (await texts(CONFIGS)).flatMap((text) =>
    matches(text, /^ {2}(?:readonly )?([A-Z][A-Z0-9_]*)[!?:]?[ :]/gm),
  );
  const read = (await texts(COMMANDS)).flatMap((text) => matches(text, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g));
  return new Set([...declared, ...read]);
}

/** Variables that the guide names: those in its table, and every word of its text that is written like one. */
export function namedVariables(guide) {
  const cells = matches(guide, /^\| (`[^|]*) \|/gm).flatMap((cell) => matches(cell, /`([A-Z][A-Z0-9_]*)`/g));
  return new Set([...cells, ...matches(guide, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b/g)]);
}

const matches = (text, pattern) => Array.from(text.matchAll(pattern), ([, name]) => name);
