import 'reflect-metadata';
import { join } from 'node:path';
import { schemaSource } from '@plat/database';
import { nearest } from '@plat/local';
import { readOptions } from './arguments';
import { checkDirectory, type DatabaseJob, runLogins, runMigrate, runStatus } from './commands';
import { runDeleteTenant } from './delete-tenant';
import type { Finding } from './doctor/check';
import { examine } from './doctor/doctor';
import { renderReport } from './doctor/report';
import { findRepositoryFaults } from './doctor/repository';
import { runEraseUser } from './erase-user';
import { describeFailure, UsageError } from './failure';
import { runMoveTenant } from './move-tenant';
import { ownerUrlOf } from './owner-url';
import { runPrune } from './prune';
import { withSecretFiles } from './secret-files';

const USAGE = `npm run db -- <command>, as the owner of the database that DATABASE_URL names:
  migrate [--directory FILE]  brings the schema to the newest version, then applies a directory of tenants, issuers,
                              roles, users and environments (YAML); both may be run again at any time
  directory --check FILE      checks a directory file, names every fault, and changes nothing; it needs no database
  status                      lists the migrations, applied and pending, and the functions that differ; ends with 1 if
                              something is left to do, or if the database has what this release's files have not
  logins                      sets the passwords of the services' login roles from PLAT_REVIEWS_PASSWORD,
                              PLAT_BUILDS_PASSWORD, PLAT_RELEASES_PASSWORD, PLAT_AUDIT_PASSWORD and
                              PLAT_PLATFORM_PASSWORD; those that are unset stay as they are.
                              PLAT_BACKUP_PASSWORD makes the role plat_backup too, which reads every row for backups
  doctor [--json]             examines roles, grants, row-level security, partitions, indexes and settings, as any login,
                              and changes nothing; ends with 1 if it finds an error, with 2 if it cannot examine.
                              --repository URL examines instead whether the reviews service can read a repository, with
                              its REPOSITORY_NETWORKS and REPOSITORY_CA, and says why not; it needs no database
  delete-tenant NAME          prints what a tenant has; with --confirm NAME and --export FILE or --no-export, deletes it
  erase-user TENANT USER      erases a user's subject and arguments from the trail and its sealed log; --dry-run counts
  move-tenant NAME            moves a tenant to the cell of TARGET_DATABASE_URL: --to URL, then --finish; or --cancel
  prune                       removes what is older than a period, by table: --keep-audit 24months --export DIR,
                              --keep-builds 12months, --keep-gate-runs 90days; --dry-run prints what would go
  help                        this text

A secret may be in a file: DATABASE_URL_FILE, PLAT_REVIEWS_PASSWORD_FILE, …. DATABASE_CA_FILE names authorities (PEM) of
the database's certificate, which is then verified.`;

/** Commands that read their own arguments. */
const OWN_ARGUMENTS: Record<string, (job: DatabaseJob, args: string[]) => Promise<void>> = {
  'delete-tenant': runDeleteTenant,
  'erase-user': runEraseUser,
  'move-tenant': runMoveTenant,
  prune: runPrune,
};

const OPTIONS = {
  directory: { type: 'string' },
  json: { type: 'boolean', default: false },
  repository: { type: 'string' },
  check: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COMMANDS = ['migrate', 'directory', 'status', 'logins', 'doctor', 'help'];

/** Two levels up from here, from the sources as well as from the folder of the bundle in dist. */
const ROOT = join(__dirname, '..', '..');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(args: string[]): Promise<void> {
  const [first = '', ...rest] = args;
  if (Object.hasOwn(OWN_ARGUMENTS, first)) return OWN_ARGUMENTS[first]!(openJob(), rest);
  const { command, directory, json, repository, check } = readArguments(args);
  if (command === 'help') return print(USAGE);
  if (check !== undefined) return checkDirectory(check, print);
  if (repository !== undefined) {
    return runDoctor(json, () => findRepositoryFaults(repository, process.env), REPOSITORY_READABLE);
  }
  const job = openJob();
  if (command === 'migrate') return runMigrate(job, directory);
  if (command === 'logins') return runLogins(job);
  if (command === 'doctor') return runDoctor(json, () => examine(job.ownerUrl, job.schema));
  if (!(await runStatus(job))) process.exitCode = 1;
}

function openJob(): DatabaseJob {
  const env = withSecretFiles(process.env);
  return { ownerUrl: ownerUrlOf(env), schema: schemaSource(ROOT), environment: env, print };
}

const REPOSITORY_READABLE = 'The reviews service can read the repository from here.';

/** Ends with 1 for an error, with 2 if it cannot be examined. */
async function runDoctor(json: boolean, look: () => Promise<Finding[]>, healthy?: string): Promise<void> {
  try {
    const findings = await look();
    print(json ? JSON.stringify({ findings }, undefined, 2) : renderReport(findings, healthy));
    if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 2;
  }
}

function readArguments(args: string[]) {
  const { positionals, values } = readOptions(args, { options: OPTIONS, usage: USAGE });
  const [command = 'help', ...others] = values.help ? ['help'] : positionals;
  if (!COMMANDS.includes(command)) throw new UsageError(`${unknownCommand(command)}\n\n${USAGE}`);
  const misfit = findMisfit(command, others, values);
  if (misfit !== undefined) throw new UsageError(`${misfit}.\n\n${USAGE}`);
  return { command, ...values };
}

/** The commands that take each option. */
const TAKEN_BY = { directory: 'migrate', check: 'directory', json: 'doctor', repository: 'doctor' } as const;

/** Says which argument a command does not take, or lacks. */
function findMisfit(
  command: string,
  operands: readonly string[],
  values: Partial<Record<keyof typeof TAKEN_BY, unknown>>,
): string | undefined {
  if (operands.length > 0) return `${command} takes no argument ${JSON.stringify(operands[0])}`;
  if (command === 'directory' && values.check === undefined) return 'directory needs --check FILE';
  const options = Object.entries(TAKEN_BY) as [keyof typeof TAKEN_BY, string][];
  const wrong = options.find(([option, taker]) => values[option] && taker !== command);
  return wrong && `${command} takes no --${wrong[0]}, which is an option of ${wrong[1]}`;
}

function unknownCommand(command: string): string {
  const meant = nearest(command, [...COMMANDS, ...Object.keys(OWN_ARGUMENTS)]);
  const question = meant === undefined ? '' : ` Is ${JSON.stringify(meant)} meant?`;
  return `There is no command ${JSON.stringify(command)}.${question}`;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
});
