import { type ChildProcess, spawn } from 'node:child_process';
import { childVariables } from '../environment';
import { endWithStarted } from '../processes/end-process';
import { Failure } from '../terminal/failure';
import { maskTokens } from '../terminal/mask-tokens';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';
import { trace } from '../terminal/trace';
import { keepText, OUTPUT_BYTES_MAX } from './tool-output';

const GRACE_MILLISECONDS = 10_000;
/** Without the user's preferences for kubectl (kuberc), by which a delete may ask, find no one, and exit with 0. */
export const WITHOUT_PREFERENCES = { KUBERC: 'off' };
/** Messages are compared, so they must not be translated. All other variables are the user's. */
const VARIABLES = { LC_ALL: 'C', LANGUAGE: '', ...WITHOUT_PREFERENCES };

/** The programs that reach a cluster. */
export type ToolName = 'kubectl' | 'helm';

/** One call of a program. */
export interface ToolRun {
  /** The program and its arguments. */
  argv: readonly [ToolName, ...string[]];
  /** Written to its stdin. */
  input?: string | undefined;
  /** Texts of the input that no output may repeat, as they are or in base64. */
  secrets?: readonly string[] | undefined;
  /** Longest run; after it the program is ended. */
  deadlineSeconds: number;
  /** Ends the program, and prevents any later one. */
  interrupted?: AbortSignal | undefined;
}

/** The answer of a program, without the secrets of its input. */
export interface ToolAnswer {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs kubectl or helm to its end. If it is interrupted or too late, it is ended with SIGTERM, on which helm marks its
 * release as failed, and with SIGKILL if it does not end.
 *
 * @throws Failure PROGRAM_MISSING, CLUSTER_TIMED_OUT, CLUSTER_OUTPUT_TOO_LONG; the reason with which `interrupted` was aborted, after its end
 */
export async function runTool(run: ToolRun): Promise<ToolAnswer> {
  const { argv, input, secrets = [], deadlineSeconds, interrupted } = run;
  interrupted?.throwIfAborted();
  trace(shellQuote(argv));
  const began = Date.now();
  const deadline = AbortSignal.timeout(deadlineSeconds * 1000);
  const answer = await spawnTool(argv, input, [deadline, interrupted]);
  const [stdout, stderr] = [answer.stdout, answer.stderr].map((text) => withoutSecrets(text, secrets));
  trace(
    `${argv[0]} ended with ${answer.code} after ${Date.now() - began} ms`,
    maskTokens(stderr ?? '').trim(),
  );
  interrupted?.throwIfAborted();
  if (answer.code !== 0 && deadline.aborted) throw timedOut(argv[0], deadlineSeconds);
  return { code: answer.code, stdout: stdout ?? '', stderr: stderr ?? '' };
}

function spawnTool(
  [program, ...args]: ToolRun['argv'],
  input: string | undefined,
  stops: ReadonlyArray<AbortSignal | undefined>,
): Promise<ToolAnswer> {
  return new Promise((answered, reject) => {
    const child = spawn(program, args, {
      env: childVariables(VARIABLES),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const stop = stopping(child);
    for (const signal of stops) signal?.addEventListener('abort', stop.now, { once: true });
    const forget = () => {
      for (const signal of stops) signal?.removeEventListener('abort', stop.now);
      stop.forget();
    };
    let isTooLong = false;
    const exceeded = () => {
      isTooLong = true;
      stop.now();
    };
    const [stdout, stderr] = [keepText(child.stdout, exceeded), keepText(child.stderr, exceeded)];
    child.once('error', (error) => {
      forget();
      reject(notRunnable(program, error));
    });
    child.once('close', (code) => {
      forget();
      if (isTooLong) return reject(tooLong(program));
      answered({ code, stdout: stdout(), stderr: stderr() });
    });
    // The program may end without reading its input; its exit code gives the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function stopping(child: ChildProcess) {
  let timer: NodeJS.Timeout | undefined;
  return {
    now: () => {
      void endWithStarted(child);
      timer ??= setTimeout(() => {
        child.kill('SIGKILL');
        // A process that the program started may hold them open.
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, GRACE_MILLISECONDS);
    },
    forget: () => clearTimeout(timer),
  };
}

/** A refusal of the API server may quote the object that it was sent, in which values are in base64. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ])
    .reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

const HOMES: Readonly<Record<ToolName, string>> = {
  kubectl: 'https://kubernetes.io/docs/tasks/tools/',
  helm: 'https://helm.sh/docs/intro/install/',
};

function notRunnable(program: ToolName, error: NodeJS.ErrnoException): Failure {
  const why = error.code === 'ENOENT' ? 'is not on the PATH' : `cannot be run: ${error.message}`;
  return new Failure('PROGRAM_MISSING', `${program} ${why}.`, {
    details: { program },
    next: nextStep('install', [program], '(', [HOMES[program]], ') and make sure that it is on the PATH'),
  });
}

function timedOut(program: ToolName, seconds: number): Failure {
  return new Failure('CLUSTER_TIMED_OUT', `${program} was ended after ${seconds} s without an answer.`, {
    details: { program, seconds },
    next: 'check that the cluster answers (kubectl version), then repeat the command',
  });
}

function tooLong(program: ToolName): Failure {
  const mebibytes = OUTPUT_BYTES_MAX / 1024 / 1024;
  return new Failure('CLUSTER_OUTPUT_TOO_LONG', `${program} printed more than ${mebibytes} MiB.`, {
    next: 'check which cluster the context names: its API server may be another one than you mean',
  });
}
