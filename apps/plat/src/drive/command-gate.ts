import { runGroup } from '../processes/process-group';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';
import type { Gate, GateOutcome, GateRun } from './gate';

/** Exit codes of the shell: the command was not found, or cannot be executed. */
const NOT_RUNNABLE: ReadonlyArray<number | null> = [126, 127];

/** The gate of a project that `plat build` does not build: a command for the shell. */
export function commandGate(command: string): Gate {
  return { planned: command, run: (run) => runCommand(command, run) };
}

/** @throws Failure GATE_NOT_RUNNABLE; the reason with which `interrupted` was aborted */
async function runCommand(command: string, run: GateRun): Promise<GateOutcome> {
  const { git, interrupted, output, beginning } = run;
  const tail = new OutputTail();
  const { code, signal } = await runGroup({
    argv: ['/bin/sh', '-c', command],
    folder: git.folder,
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
    throw new Failure('GATE_NOT_RUNNABLE', `The gate ${how}: ${said}`, {
      next: `correct --gate-command, which runs in ${git.folder}: a worktree that has no ignored files, such as installed packages, until a gate makes them`,
    });
  }
  return { successful: false, detail: `The gate ${how}.${said === '' ? '' : `\n${said}`}` };
}
