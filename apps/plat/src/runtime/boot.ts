import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { BLOCK_START_DEFAULT, namespaceOf } from '@plat/environments';
import { scopedConfigPath } from '../config/config-scope';
import type { Environment } from '../environment';
import { jobsOf } from '../jobs/job-store';
import { ownHome } from '../own-account';
import { Failure } from '../terminal/failure';
import { type BootVariables, bootVariables } from './boot-variables';
import { firstClone } from './first-clone';
import { seedConfig } from './seed-config';
import { readSshCommand, seedGit } from './seed-git';
import { seedSession } from './seed-session';
import { prepareSshServer, PROBED } from './ssh-server';
import { type Service, supervise } from './supervision';

/** Spec: Client, Limits. */
const SSHD_PORT_DEFAULT = 22;

export interface Boot {
  environment: Environment;
  /** Where the environment's session is mounted. */
  sessionMount: string;
  /** Where git's settings and its credential are mounted. */
  gitMount: string;
  /** The file in which the token of the MCP server is mounted, if the environment has its Service. */
  mcpTokenMount: string;
  /** Names of the variables with secrets that the MCP server gets, and its gates, builds and jobs. */
  passed: readonly string[];
  /** The command line of this client, without arguments. */
  client: readonly string[];
  interrupted: AbortSignal;
  /** Writes a line to the pod's log. */
  note(line: string): void;
}

/**
 * The first process of a pod: prepares it, then serves until `interrupted`. Nothing that an earlier boot or a person
 * has made is changed. A step that fails is reported, and the pod serves without it: no one could get into a pod that
 * ends, to free its disk or to correct its configuration. Rule H16.
 *
 * @throws Failure NOT_A_POD, INVALID_VARIABLES, PROGRAM_MISSING
 */
export async function boot(request: Boot): Promise<void> {
  const { environment, sessionMount, mcpTokenMount, passed, client, interrupted, note } = request;
  const variables = bootVariables(environment);
  const name = { tenant: variables.PLAT_TENANT, environment: variables.PLAT_ENVIRONMENT };
  await prepare(request, variables);
  if (interrupted.aborted) return;
  const home = ownHome(environment.variables);
  const ssh = await prepareSshServer({
    home,
    port: variables.PLAT_SSHD_PORT ?? SSHD_PORT_DEFAULT,
    mount: sessionMount,
    temporary: tmpdir(),
    variables: environment.variables,
    note,
  });
  const services: Service[] = [
    {
      name: 'The MCP server',
      argv: [
        ...client,
        ...mcpArguments(variables, mcpTokenMount),
        ...passed.map((one) => `--pass-env=${one}`),
      ],
      passed,
      folder: () => workingFolder(variables, home),
    },
    { name: 'The SSH server', argv: ssh.argv, folder: rootFolder, noise: PROBED },
    { name: 'The idle watch', argv: [...client, 'idle', 'watch'], folder: rootFolder },
  ];
  note(`${namespaceOf(name)} has booted.`);
  await supervise(services, { interrupted, note }).finally(() => ssh.remove());
  await endJobs(environment, note);
}

/** Lets the jobs end in order: with the pod's first process they are killed. */
async function endJobs(environment: Environment, note: Boot['note']): Promise<void> {
  const jobs = jobsOf(environment);
  const running = (await jobs.list()).filter(({ status }) => status === 'RUNNING');
  await Promise.allSettled(running.map(({ jobId }) => jobs.cancel(jobId)));
  if (running.length > 0) note(`Jobs that were ended with the pod: ${running.length}.`);
}

/** Prepares the configuration, session, outputs folder and clone that a pod has from its first boot on. */
async function prepare(
  { environment, sessionMount, gitMount, interrupted, note }: Boot,
  variables: BootVariables,
): Promise<void> {
  const { configFolder } = environment;
  const name = { tenant: variables.PLAT_TENANT, environment: variables.PLAT_ENVIRONMENT };
  const environmentConfig = dirname(scopedConfigPath(configFolder, name));
  const { PLAT_OUTPUTS_DIR: outputs } = variables;
  const steps: Array<[string, () => Promise<unknown>]> = [
    ['The configuration is not written', () => seedConfig(configFolder, variables)],
    [
      'The session is not taken over',
      async () => note((await seedSession({ mount: sessionMount, configFolder, environmentConfig })).message),
    ],
    [
      'PLAT_OUTPUTS_DIR is not made',
      async () => outputs !== undefined && mkdir(outputs, { recursive: true }),
    ],
    [
      'git does not use the mounted settings',
      async () => note(await seedGit({ mount: gitMount, configFolder })),
    ],
    [
      'PLAT_REPO_URL is not cloned',
      async () => {
        const sshCommand = environment.variables.GIT_SSH_COMMAND ?? (await readSshCommand(interrupted));
        return cloneOnce(variables, { interrupted, note, sshCommand });
      },
    ],
  ];
  for (const [failed, step] of steps) {
    if (interrupted.aborted) return;
    await step().catch((error: unknown) => {
      if (interrupted.aborted) return;
      if (!isExpected(error)) throw error;
      note(`${failed}: ${error.message}`);
    });
  }
}

/** Whether the error is of the system, such as a full disk, or a person's to correct; any other is a defect. */
function isExpected(error: unknown): error is Error {
  return error instanceof Failure || (error as NodeJS.ErrnoException).code !== undefined;
}

async function cloneOnce(
  { PLAT_REPO_URL: remote, PLAT_REPO_PATH: path, PLAT_REPO_REF: ref }: BootVariables,
  { interrupted, note, sshCommand }: Pick<Boot, 'interrupted' | 'note'> & { sshCommand: string | undefined },
): Promise<void> {
  if (remote === undefined) return;
  if (path === undefined) return note('PLAT_REPO_URL is set without PLAT_REPO_PATH, so nothing is cloned.');
  const { message } = await firstClone({ remote, path, ref, sshCommand, interrupted });
  note(message);
}

/** It is always there, unlike the home, whose volume a person may clear. */
const rootFolder = () => '/';

/** The MCP server's tools work in the project's checkout. A person may move it, so each start looks for it. */
function workingFolder({ PLAT_REPO_PATH: path }: BootVariables, home: string): string {
  return path !== undefined && existsSync(path) ? path : home;
}

/**
 * With a mounted token the server listens on all addresses, and answers under the names of its Service within the
 * cluster. Without one the environment has no such Service, and the server is for the pod's own agents. Rule G14.
 */
function mcpArguments(variables: BootVariables, tokenMount: string): string[] {
  const { PLAT_TENANT: tenant, PLAT_ENVIRONMENT: environment } = variables;
  const port = `--port=${variables.PLAT_MCP_PORT ?? BLOCK_START_DEFAULT}`;
  if (!existsSync(tokenMount)) return ['mcp', port];
  const namespace = variables.PLAT_NAMESPACE ?? namespaceOf({ tenant, environment });
  const service = `${tenant}-mcp`;
  const names = ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`];
  return [
    'mcp',
    '--host=0.0.0.0',
    port,
    `--token-file=${tokenMount}`,
    ...names.map((end) => `--allow-host=${service}${end}`),
  ];
}
