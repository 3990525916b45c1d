import { runGroup } from '../processes/process-group';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';
import type { Gate, GateOutcome, GateRun } from './gate';

/** Exit codes of the shell: the command was not found, or cannot be executed. */
const NOT_RUNNABLE: ReadonlyArray<number | null> = [126, 127];

/**
 * The gate of a project that `plat build` does not build: a command for the shell.
 *
 * @param passed names of the variables with secrets that it gets
 */
export function commandGate(command: string, passed: readonly string[] = []): Gate {
  return { planned: command, run: (run) => runCommand({ command, passed }, run) };
}

/** @throws Failure GATE_NOT_RUNNABLE; the reason with which `interrupted` was aborted */
async function runCommand(
  { command, passed }: { command: string; passed: readonly string[] },
  run: GateRun,
): Promise<GateOutcome> {
  const { git, interrupted, output, beginning } = run;
  const tail = new OutputTail();
  const { code, signal } = await runGroup({
    argv: ['/bin/sh', '-c', command],
    folder: git.folder,
    passed,
    interrupted,
    beginning,
    output(chunk) {
      output(chunk);
      tail.add(chunk);
    },
  });
  if (code === 0) {
    return { successful: true, tested: { stages: [], untestedImages: [], program: command } };
  }
  const said = tail.text();
  const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
  if (NOT_RUNNABLE.includes(code)) {
    throw new Failure('GATE_NOT_RUNNABLE', `The gate ${how}: ${said}`, { next: 'correct --gate-command' });
  }
  return { successful: false, detail: `The gate ${how}.${said === '' ? '' : `\n${said}`}` };
}
