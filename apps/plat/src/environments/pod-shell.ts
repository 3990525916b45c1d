import { spawn } from 'node:child_process';
import { WITHOUT_PREFERENCES } from '../cluster/run-tool';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';
import type { RuntimePlace } from './runtime-deployment';

/**
 * In the checkout if there is one. It ends with 0 however the shell ends, so that any other exit code means that there
 * was no shell.
 */
const SHELL = 'cd "$PLAT_REPO_PATH" 2>/dev/null || cd; "${SHELL:-/bin/sh}" -l; exit 0';

/** The command that opens the shell, as `--dry-run` prints it. */
export function shellArgv({ cluster, names }: RuntimePlace): [string, ...string[]] {
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
    SHELL,
  ]);
}

/**
 * Opens a shell in the pod on this terminal, and returns when it has ended.
 *
 * @throws Failure PROGRAM_MISSING, SHELL_FAILED: kubectl has said why on the terminal
 */
export async function podShell(place: RuntimePlace): Promise<void> {
  const [program, ...args] = shellArgv(place);
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: childVariables(WITHOUT_PREFERENCES) });
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('PROGRAM_MISSING', `${program} cannot be run: ${error.message}.`, {
      next: `install ${program} and make sure that it is on the PATH`,
    });
  });
  if (code === 0) return;
  const { tenant, environment } = place.name;
  throw new Failure('SHELL_FAILED', `The shell in ${place.names.namespace} failed or was cut off.`, {
    next: `plat open ${tenant} ${environment}`,
  });
}
