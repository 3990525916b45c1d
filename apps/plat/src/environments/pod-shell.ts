import { spawn } from 'node:child_process';
import { WITHOUT_PREFERENCES } from '../cluster/run-tool';
import { contractVariables } from '../config/contract-variables';
import { childVariables, type Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { RuntimePlace } from './runtime-deployment';

/** The person's shell in the pod. */
const OWN = '"${SHELL:-/bin/sh}" -l';
/** Spec: Client, Variables read by the client, PLAT_LOCAL_SHELL_OVERRIDE. */
const PINNED = "ENV= PS1='$ ' /bin/sh -i";
/** In the checkout if there is one. It ends with 0 however the shell ends, so any other exit code means that there was none. */
const inCheckout = (shell: string) => `cd "\${PLAT_REPO_PATH:-$HOME}" 2>/dev/null || cd; ${shell}; exit 0`;

/**
 * The command that opens the shell, as `--dry-run` prints it.
 *
 * @throws Failure INVALID_VARIABLES
 */
export function shellArgv(
  { cluster, names }: Pick<RuntimePlace, 'cluster' | 'names'>,
  environment: Environment,
): [string, ...string[]] {
  const { PLAT_LOCAL_SHELL_OVERRIDE: isPinned } = contractVariables(environment, [
    'PLAT_LOCAL_SHELL_OVERRIDE',
  ]);
  return cluster.kubectl.argv([
    'exec',
    '--stdin',
    '--tty',
    `deployment/${names.release}`,
    '--container',
    'runtime',
    '--',
    '/bin/sh',
    '-c',
    inCheckout(isPinned ? PINNED : OWN),
  ]);
}

/**
 * Opens a shell in the pod on this terminal, and returns when it has ended.
 *
 * @throws Failure INVALID_VARIABLES; PROGRAM_MISSING; SHELL_FAILED: kubectl has said why on the terminal
 */
export async function podShell(place: RuntimePlace, environment: Environment): Promise<void> {
  const [program, ...args] = shellArgv(place, environment);
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: childVariables(WITHOUT_PREFERENCES) });
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('PROGRAM_MISSING', `${program} cannot be run: ${error.message}.`, {
      next: nextStep('install', [program], 'and make sure that it is on the PATH'),
    });
  });
  if (code === 0) return;
  throw new Failure('SHELL_FAILED', `The shell in ${place.names.namespace} failed or was cut off.`, {
    next: nextStep('plat open', [place.name.tenant], [place.name.environment]),
  });
}
