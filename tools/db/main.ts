import 'reflect-metadata';
import {
  appliedMigrations,
  applyDirectory,
  migrate,
  parseDirectory,
  setLoginPasswords,
  type MigrationSource,
} from '@plat/database';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { availableMigrations } from './available-migrations';
import { parseLogins } from './logins-file';

const USAGE = `npm run db -- <command>, as the owner of the database that DATABASE_URL names:
  migrate           brings the schema to the newest version
  status            lists the migrations, applied and pending; ends with 1 when one is pending
  directory FILE    applies a directory of tenants, issuers, roles and users (YAML)
  logins FILE       sets the passwords of the services' login roles (YAML: role name to password)`;

/** Two levels up from here, from the sources as well as from the bundle in dist/tools. */
const MIGRATIONS: MigrationSource = {
  migrationsDir: join(__dirname, '..', '..', 'libs', 'database', 'migrations'),
};

const COMMANDS: Record<string, (ownerUrl: string, file: string | undefined) => Promise<void>> = {
  migrate: async (ownerUrl) => {
    const applied = await migrate(ownerUrl, MIGRATIONS);
    print(
      applied.length === 0
        ? 'The schema is up to date.'
        : applied.map((name) => `applied ${name}`).join('\n'),
    );
  },
  status: showStatus,
  directory: async (ownerUrl, file) => {
    await applyDirectory(ownerUrl, parseDirectory(await readNamed(file)));
    print('The directory is applied.');
  },
  logins: async (ownerUrl, file) => {
    await setLoginPasswords(ownerUrl, parseLogins(await readNamed(file)));
    print('The passwords are set.');
  },
};

async function showStatus(ownerUrl: string): Promise<void> {
  const applied = new Map(
    (await appliedMigrations(ownerUrl)).map(({ name, appliedAt }) => [name, appliedAt]),
  );
  const names = await availableMigrations(MIGRATIONS.migrationsDir);
  for (const name of names) print(`${applied.get(name) ?? 'pending                 '}  ${name}`);
  if (names.some((name) => !applied.has(name))) process.exitCode = 1;
}

async function readNamed(file: string | undefined): Promise<string> {
  if (file === undefined) throw new Error(USAGE);
  return readFile(file, 'utf8');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main([name = '', file]: string[]): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Error(USAGE);
  const ownerUrl = process.env.DATABASE_URL;
  if (!ownerUrl) throw new Error('DATABASE_URL is not set: name the database as its owner.');
  await command(ownerUrl, file);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message || String(error) : String(error)}\n`);
  process.exitCode = 1;
});
