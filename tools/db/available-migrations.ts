import { readdir } from 'node:fs/promises';

/** The names of the migrations in a folder, in their order, as the database's history knows them. */
export async function availableMigrations(migrationsDir: string): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
}
