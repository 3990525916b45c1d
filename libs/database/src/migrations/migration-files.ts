import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A migration file. */
export interface MigrationFile {
  /** Without `.sql`, as the database's history knows it. */
  name: string;
  /** SHA-256 of its bytes, in hex. */
  sha256: string;
}

/** The migrations of a folder, in their order. */
export async function readMigrationFiles(migrationsDir: string): Promise<MigrationFile[]> {
  const files = (await readdir(migrationsDir)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sha256: createHash('sha256')
        .update(await readFile(join(migrationsDir, file)))
        .digest('hex'),
    })),
  );
}

/** The names of the files whose content differs from the noted digest. Files without a noted digest are left out. */
export function findEditedFiles(files: MigrationFile[], noted: Readonly<Record<string, string>>): string[] {
  return files.filter(({ name, sha256 }) => (noted[name] ?? sha256) !== sha256).map(({ name }) => name);
}
