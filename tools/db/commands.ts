import {
  appliedMigrations,
  applyDirectory,
  migrate,
  parseDirectory,
  setLoginPasswords,
  type MigrationSource,
} from '@plat/database';
import { readFile } from 'node:fs/promises';
import { availableMigrations } from './available-migrations';
import { loginPasswords } from './login-passwords';

/** What a command works on. */
export interface DatabaseJob {
  ownerUrl: string;
  migrations: MigrationSource;
  environment: Record<string, string | undefined>;
  print(line: string): void;
}

/** Brings the schema to the newest version, then applies the directory file where one is named. */
export async function runMigrate(
  { ownerUrl, migrations, print }: DatabaseJob,
  directoryFile?: string,
): Promise<void> {
  // Read first, so that a file with a fault changes nothing.
  const directory =
    directoryFile === undefined ? undefined : parseDirectory(await readFile(directoryFile, 'utf8'));
  const applied = await migrate(ownerUrl, migrations);
  for (const name of applied) print(`applied ${name}`);
  if (applied.length === 0) print('The schema is up to date.');
  if (directory === undefined) return;
  await applyDirectory(ownerUrl, directory);
  print('The directory is applied.');
}

/** Lists the migrations, applied and pending. @returns whether none is pending */
export async function runStatus({ ownerUrl, migrations, print }: DatabaseJob): Promise<boolean> {
  const rows = await appliedMigrations(ownerUrl);
  const applied = new Map(rows.map(({ name, appliedAt }) => [name, appliedAt]));
  const names = await availableMigrations(migrations.migrationsDir);
  for (const name of names) print(`${(applied.get(name) ?? 'pending').padEnd(24)}  ${name}`);
  return names.every((name) => applied.has(name));
}

/** Sets the passwords of the services' login roles that the environment has. */
export async function runLogins({ ownerUrl, environment, print }: DatabaseJob): Promise<void> {
  const passwords = loginPasswords(environment);
  await setLoginPasswords(ownerUrl, passwords);
  for (const role of Object.keys(passwords)) print(`set the password of ${role}`);
}
