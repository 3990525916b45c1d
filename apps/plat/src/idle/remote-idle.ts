import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type EnvironmentName, namespaceOf, runtimeNames } from '@plat/environments';
import { readConfigDocument } from '../config/config-document';
import { scopedConfigPath } from '../config/config-scope';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';
import { maskTokens } from '../terminal/mask-tokens';
import { printableText } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import type { IdleStatus } from './idle-status';

const DEADLINE_MILLISECONDS = 60_000;

/**
 * Asks the pod of an environment whether it is idle. The question counts as no activity there. Decision H15.
 *
 * @returns the pod's answer, and what it wrote on stderr
 * @throws Failure INVALID_NAME, NO_SUCH_ENVIRONMENT, PROGRAM_MISSING, KUBECTL_FAILED
 */
export async function remoteIdle(
  configFolder: string,
  name: EnvironmentName,
): Promise<{ status: IdleStatus; said: string }> {
  const argv = await execArgv(configFolder, name);
  const [program = '', ...args] = argv;
  const options = { env: childVariables({}), timeout: DEADLINE_MILLISECONDS };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return { status: JSON.parse(stdout) as IdleStatus, said: printableText(stderr).trim() };
  } catch (error) {
    throw askFailure(argv, error as ExecFailure);
  }
}

async function execArgv(configFolder: string, name: EnvironmentName): Promise<string[]> {
  const path = scopedConfigPath(configFolder, { ...name });
  const { text, content } = await readConfigDocument(path);
  if (text === undefined) {
    const { tenant, environment } = name;
    throw new Failure(
      'NO_SUCH_ENVIRONMENT',
      `This machine has no environment ${tenant} ${environment}: no ${path}.`,
      {
        next: 'name an environment that plat init made on this machine',
      },
    );
  }
  const { kubernetesContext: context } = content;
  return [
    'kubectl',
    ...(typeof context === 'string' ? ['--context', context] : []),
    '--namespace',
    namespaceOf(name),
    'exec',
    `deploy/${runtimeNames(name).release}`,
    '--',
    'env',
    'PLAT_IDLE_PROBE=true',
    'plat',
    'idle',
    '--json',
  ];
}

type ExecFailure = NodeJS.ErrnoException & { stdout?: string; stderr?: string; killed?: boolean };

function askFailure(
  argv: readonly string[],
  { code, killed, stdout, stderr, message }: ExecFailure,
): Failure {
  if (code === 'ENOENT') {
    return new Failure('PROGRAM_MISSING', 'kubectl is not on the PATH.', {
      next: 'install kubectl (https://kubernetes.io/docs/tasks/tools/), then repeat the command',
    });
  }
  const said = printableText(maskTokens([stderr, stdout].filter(Boolean).join('\n'))).trim();
  const why = killed === true ? `it was ended after ${DEADLINE_MILLISECONDS / 1000} s` : said || message;
  return new Failure('KUBECTL_FAILED', `${shellQuote(argv)} failed: ${why}`, {
    next: 'correct the reported problem; an environment that is stopped has no pod to ask',
  });
}
