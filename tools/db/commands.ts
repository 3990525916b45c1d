import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  applyDirectory,
  BACKUP_ROLE,
  compareSchema,
  keepRefusalsOutOfLog,
  migrate,
  parseDirectory,
  prepareBackupRole,
  type SchemaSource,
  setLoginPasswords,
} from '@plat/database';
import { loginPasswords } from './login-passwords';

/** The database and files of a command. */
export interface DatabaseJob {
  ownerUrl: string;
  schema: SchemaSource;
  environment: Record<string, string | undefined>;
  print(line: string): void;
}

const REFUSALS_ARE_LOGGED =
  "The server logs the services' refusals as errors, with names: let a superuser GRANT SET ON PARAMETER " +
  'log_min_messages TO this owner, and migrate again.';

/** Checks a directory file. @throws DirectoryError with every fault */
export async function checkDirectory(file: string, print: (line: string) => void): Promise<void> {
  const directory = await readDirectory(file);
  const counts = Object.entries(directory).map(
    ([section, { length }]: [string, readonly unknown[]]) =>
      // The name of each section is the plural of its rows'.
      `${length} ${length === 1 ? section.replace(/s$/, '') : section}`,
  );
  print(`The directory file has no fault: ${counts.join(', ')}.`);
}

/** @throws Error with the whole path if the file cannot be read: npm runs the command in another folder than the caller's */
async function readDirectory(file: string) {
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'it is not there' : error.message;
    throw new Error(`The directory file ${path} cannot be read: ${reason}.`);
  });
  return parseDirectory(text);
}

/** Migrates the schema to the newest version, then applies the directory file if one is named. */
export async function runMigrate(
  { ownerUrl, schema, print }: DatabaseJob,
  directoryFile?: string,
): Promise<void> {
  // Read first, so that a file with a fault changes nothing.
  const directory = directoryFile === undefined ? undefined : await readDirectory(directoryFile);
  const { migrations, functions } = await migrate(ownerUrl, schema, (holder) =>
    print(`Waits for another migrate, which is ${holder}.`),
  );
  for (const name of migrations) print(`applied ${name}`);
  if (functions.length > 0) print(`applied ${functionsText(functions)}`);
  if (migrations.length + functions.length === 0) print('The schema is up to date.');
  if (!(await keepRefusalsOutOfLog(ownerUrl))) print(REFUSALS_ARE_LOGGED);
  if (directory === undefined) return;
  await applyDirectory(ownerUrl, directory);
  print('The directory is applied.');
}

const FEW = 20;

/** The functions by name if they are few, such as those that one change touches. */
const functionsText = (names: string[]): string =>
  names.length > FEW ? `${names.length} functions` : `functions: ${names.join(', ')}`;

const stateText = (version: string): string =>
  `the end of a migration: the schema is ${version === '' ? 'at no version' : `at ${version}`}, and no service of this release starts`;

/** Lists the applied and pending migrations, and all differences. @returns whether there are none */
export async function runStatus({ ownerUrl, schema, print }: DatabaseJob): Promise<boolean> {
  const { applied, pending, edited, unknown, functions, altered, behind } = await compareSchema(
    ownerUrl,
    schema,
  );
  for (const { name, appliedAt } of applied) print(`${appliedAt.padEnd(24)}  ${name}${remark(name)}`);
  for (const name of pending) print(`${'pending'.padEnd(24)}  ${name}`);
  if (functions.length > 0) print(`${'pending'.padEnd(24)}  ${functionsText(functions)}`);
  if (altered.length > 0) print(`${'altered'.padEnd(24)}  ${functionsText(altered)}`);
  if (behind !== undefined) print(`${'pending'.padEnd(24)}  ${stateText(behind)}`);
  const complete = [pending, edited, unknown, functions, altered].every((names) => names.length === 0);
  return complete && behind === undefined;

  function remark(name: string): string {
    if (edited.includes(name)) return '  (its file was edited after it was applied)';
    return unknown.includes(name) ? '  (this release does not know it)' : '';
  }
}

/** Sets those passwords of the login roles that are in the environment, and makes the role for backups if it has one. */
export async function runLogins({ ownerUrl, environment, print }: DatabaseJob): Promise<void> {
  const { [BACKUP_ROLE]: backup, ...passwords } = loginPasswords(environment);
  await setLoginPasswords(ownerUrl, passwords);
  for (const role of Object.keys(passwords)) print(`set the password of ${role}`);
  // Last, because it may need a superuser, for whom the services should not wait.
  if (backup === undefined) return;
  const isSet = await prepareBackupRole(ownerUrl, backup);
  print(isSet ? `set the password of ${BACKUP_ROLE}` : `${BACKUP_ROLE} is ready, and has its password`);
}
