import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const READ = /\.(?:tsx?|[cm]?js|snap|json|md|ya?ml|sql|txt|sh)$/;
/** Generated and large: no test's reason lies in them alone. */
const LOCK = /package-lock\.json$/;

/** Reads the texts of the files that exist, by path. @returns {Map<string, string>} */
export function textsOf(root, files) {
  const read = files.filter((file) => READ.test(file) && !LOCK.test(file));
  return new Map(
    read.flatMap((file) => {
      try {
        return [[file, readFileSync(join(root, file), 'utf8')]];
      } catch {
        return [];
      }
    }),
  );
}

/** The index file of each `@plat/…`, by that name. @returns {Record<string, string>} */
export function aliasesOf(root) {
  const { paths = {} } = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8')).compilerOptions;
  return Object.fromEntries(Object.entries(paths).map(([name, [file]]) => [name, file.replace('./', '')]));
}
