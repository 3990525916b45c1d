import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { BLOCK_START_DEFAULT, namespaceOf } from '@plat/environments';
import { scopedConfigPath } from '../config/config-scope';
import type { Environment } from '../environment';
import { type BootVariables, bootVariables } from './boot-variables';
import { firstClone } from './first-clone';
import { seedConfig } from './seed-config';
import { seedSession } from './seed-session';
import { prepareSshServer } from './ssh-server';
import { type Service, supervise } from './supervision';

/** Spec: Client, Limits. */
const SSHD_PORT_DEFAULT = 22;

export interface Boot {
  environment: Environment;
  /** Where the environment's session is mounted. */
  sessionMount: string;
  /** The command line of this client, without arguments. */
  client: readonly string[];
  interrupted: AbortSignal;
  /** Writes a line to the pod's log. */
  note(line: string): void;
}

/**
 * The first process of a pod: prepares it, then serves until `interrupted`. Nothing that an earlier boot or a person has
 * made is changed. A clone or a session that fails is reported, and the pod serves without it, so that a person can look
 * at it from within. Decision H16.
 *
 * @throws Failure NOT_A_POD, INVALID_VARIABLES, PROGRAM_MISSING, CONFIG_UNREADABLE
 */
export async function boot({ environment, sessionMount, client, interrupted, note }: Boot): Promise<void> {
  const variables = bootVariables(environment);
  const { configFolder } = environment;
  const name = { tenant: variables.PLAT_TENANT, environment: variables.PLAT_ENVIRONMENT };
  await seedConfig(configFolder, variables);
  const environmentConfig = dirname(scopedConfigPath(configFolder, name));
  const session = await seedSession({ mount: sessionMount, configFolder, environmentConfig });
  note(session.message);
  if (variables.PLAT_OUTPUTS_DIR !== undefined) await mkdir(variables.PLAT_OUTPUTS_DIR, { recursive: true });
  const sshCommand = environment.variables.GIT_SSH_COMMAND;
  await cloneOnce(variables, { interrupted, note, sshCommand });
  interrupted.throwIfAborted();
  const home = environment.variables.HOME || homedir();
  const ssh = await prepareSshServer({
    home,
    port: variables.PLAT_SSHD_PORT ?? SSHD_PORT_DEFAULT,
    mount: sessionMount,
    temporary: tmpdir(),
    variables: environment.variables,
  });
  const folder = workingFolder(variables, home);
  const services: Service[] = [
    { name: 'The MCP server', argv: [...client, ...mcpArguments(variables)], folder },
    { name: 'The SSH server', argv: ssh, folder: home },
    { name: 'The idle watch', argv: [...client, 'idle', 'watch'], folder: home },
  ];
  note(`${namespaceOf(name)} has booted.`);
  await supervise(services, { interrupted, note });
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

/** The MCP server's tools work in the project's checkout. */
function workingFolder({ PLAT_REPO_PATH: path }: BootVariables, home: string): string {
  return path !== undefined && existsSync(path) ? path : home;
}

/** The server listens on all addresses, and answers under the names of its Service within the cluster. */
function mcpArguments(variables: BootVariables): string[] {
  const { PLAT_TENANT: tenant, PLAT_ENVIRONMENT: environment } = variables;
  const namespace = variables.PLAT_NAMESPACE ?? namespaceOf({ tenant, environment });
  const service = `${tenant}-mcp`;
  const names = ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`];
  return [
    'mcp',
    '--host=0.0.0.0',
    `--port=${variables.PLAT_MCP_PORT ?? BLOCK_START_DEFAULT}`,
    ...names.map((end) => `--allow-host=${service}${end}`),
  ];
}
