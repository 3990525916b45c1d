import { type GroupRun, runGroup } from '../processes/process-group';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { OutputTail } from '../terminal/output-tail';

/** Exit codes of the shell: the command was not found, or cannot be executed. */
const NOT_RUNNABLE: ReadonlyArray<number | null> = [126, 127];

export interface GateCommand extends Pick<
  GroupRun,
  'folder' | 'passed' | 'interrupted' | 'beginning' | 'output'
> {
  /** For the shell. */
  command: string;
  /** Where it is written, for the next step: `--gate-command`. */
  source: NextStep;
}

/**
 * Runs a command that tests the checked-out merge. Only its exit status decides.
 *
 * @returns why it failed: how it ended, and the end of its output; undefined if it passed
 * @throws Failure GATE_NOT_RUNNABLE; the reason with which `interrupted` was aborted
 */
export async function runGateCommand({ command, source, ...run }: GateCommand): Promise<string | undefined> {
  const tail = new OutputTail();
  const { code, signal } = await runGroup({
    ...run,
    argv: ['/bin/sh', '-c', command],
    output(chunk) {
      run.output(chunk);
      tail.add(chunk);
    },
  });
  if (code === 0) return undefined;
  const said = tail.text();
  const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
  if (NOT_RUNNABLE.includes(code)) {
    throw new Failure('GATE_NOT_RUNNABLE', `The gate ${how}: ${said}`, { next: nextStep('correct', source) });
  }
  return `The gate ${how}.${said === '' ? '' : `\n${said}`}`;
}

/** Whether the shell could not run the command, or something in it. */
export function isNotRunnable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'GATE_NOT_RUNNABLE';
}
