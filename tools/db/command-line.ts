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

/** The parts of a process that a command line uses. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Prints a line of the result. */
  print(line: string): void;
  /** Prints a line about a failure. */
  report(line: string): void;
}

/** Runs a command line, and reports its failure. @returns the exit code */
export async function runCommandLine(args: string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(args, surroundings);
  } catch (error) {
    surroundings.report(describeFailure(error));
    return 1;
  }
}

async function run(args: string[], surroundings: Surroundings): Promise<number> {
  const { env, print } = surroundings;
  const [first = '', ...others] = args;
  if (Object.hasOwn(OWN_ARGUMENTS, first)) {
    await OWN_ARGUMENTS[first]!(openJob(surroundings), others);
    return 0;
  }
  const { command, directory, json, repository, check } = readArguments(args);
  if (command === 'help') {
    print(USAGE);
    return 0;
  }
  if (check !== undefined) {
    await checkDirectory(check, print);
    return 0;
  }
  if (repository !== undefined) {
    const look = () => findRepositoryFaults(repository, env);
    return runDoctor(surroundings, { json, look, healthy: REPOSITORY_READABLE });
  }
  const job = openJob(surroundings);
  if (command === 'doctor') {
    return runDoctor(surroundings, { json, look: () => examine(job.ownerUrl, job.schema) });
  }
  if (command === 'status') return (await runStatus(job)) ? 0 : 1;
  await (command === 'migrate' ? runMigrate(job, directory) : runLogins(job));
  return 0;
}

function openJob({ env: given, print }: Surroundings): DatabaseJob {
  const env = withSecretFiles(given);
  return { ownerUrl: ownerUrlOf(env), schema: schemaSource(ROOT), environment: env, print };
}

const REPOSITORY_READABLE = 'The reviews service can read the repository from here.';

interface Examination {
  json: boolean;
  look(): Promise<Finding[]>;
  healthy?: string;
}

/** @returns 1 if it finds an error, 2 if it cannot be examined */
async function runDoctor({ print, report }: Surroundings, { json, look, healthy }: Examination) {
  try {
    const findings = await look();
    print(json ? JSON.stringify({ findings }, undefined, 2) : renderReport(findings, healthy));
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } catch (error) {
    report(describeFailure(error));
    return 2;
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
