import { isNotRunnable, runGateCommand } from '../gate/gate-command';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Gate, GateOutcome, GateRun } from './gate';

const FLAG = nextStep('--gate-command');

export interface CommandGateOptions {
  /** Names of the variables with secrets that the command gets; default: none. */
  passed?: readonly string[];
  /** Where the command is written; default: the flag. */
  source?: NextStep;
}

/** The gate of a project that `plat build` does not build: a command for the shell. */
export function commandGate(command: string, { passed = [], source = FLAG }: CommandGateOptions = {}): Gate {
  return {
    plan: () => Promise.resolve(command),
    async run(run) {
      const { git, interrupted, output, beginning } = run;
      const around = { folder: git.folder, passed, interrupted, output, beginning };
      const attempt = () => runGateCommand({ command, source, ...around });
      try {
        const detail = await attempt();
        if (detail !== undefined) return { successful: false, detail };
        return { successful: true, tested: { stages: [], untestedImages: [], program: command } };
      } catch (error) {
        if (!isNotRunnable(error)) throw error;
        return judgeNotRunnable(run, error.message, attempt);
      }
    },
  };
}

/**
 * Finds out whether the merge is at fault for a command that cannot be run: it may lack a program that the command names, or
 * end with such a code itself, and would hold the queue. Then the command can be run on the target.
 *
 * @throws Failure GATE_NOT_RUNNABLE if it cannot be run there either
 */
async function judgeNotRunnable(
  { checkOutTarget, output }: GateRun,
  message: string,
  attempt: () => Promise<unknown>,
): Promise<GateOutcome> {
  output(
    Buffer.from('plat: The command of the gate cannot be run on the merge, so it is run on the target.\n'),
  );
  await checkOutTarget();
  await attempt();
  return {
    successful: false,
    detail: `On the target the command can be run, but not on the merge. ${message}`,
  };
}
