import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findEditedFiles, type MigrationFile, readMigrationFiles } from '@plat/database';
import { type FunctionsRecord, readFunctionsRecord, renderFunctionsRecord } from './functions';

const FOLDER = 'libs/database/migrations';
const DIGESTS = 'libs/database/migrations.json';
const VERSION = 'libs/database/src/schema-version.ts';

/**
 * The digests of the migration files, so that no landed one is edited, the record of the functions, and the version of the schema that services are
 * built for.
 *
 * @throws Error naming the files that differ from their noted digest, or that are gone
 */
export async function renderMigrations(root: string): Promise<Record<string, string>> {
  const files = await readMigrationFiles(join(root, FOLDER));
  const noted = JSON.parse(await readFile(join(root, DIGESTS), 'utf8').catch(() => '{}')) as Record<
    string,
    string
  >;
  expectKept(files, noted);
  const digests = Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
  const functions = await readFunctionsRecord(root);
  return {
    [DIGESTS]: `${JSON.stringify(digests, null, 2)}\n`,
    ...renderFunctionsRecord(functions),
    [VERSION]: versionOf(files, functions),
  };
}

/** @throws Error naming the edited and removed files */
export function expectKept(files: MigrationFile[], noted: Readonly<Record<string, string>>): void {
  const present = new Set(files.map(({ name }) => name));
  const changed = [
    ...findEditedFiles(files, noted),
    ...Object.keys(noted).filter((name) => !present.has(name)),
  ];
  if (changed.length === 0) return;
  throw new Error(
    `A migration is never edited once landed: ${changed.join(', ')}. Put it back as it was, and write a new one; ` +
      `for one that has not landed yet, take its line out of ${DIGESTS}.`,
  );
}

const versionOf = (files: MigrationFile[], { revision }: FunctionsRecord): string =>
  `/**
 * The newest migration and the revision of the functions, which a service of this release needs. A newer one sorts after
 * it. Written by npm run generate.
 */
export const SCHEMA_VERSION = '${files.at(-1)!.name}+${String(revision).padStart(4, '0')}';
`;
