import { runGateCommand } from '../gate/gate-command';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Gate } from './gate';

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
    planned: () => Promise.resolve(command),
    async run({ git, interrupted, output, beginning }) {
      const around = { folder: git.folder, passed, interrupted, output, beginning };
      const detail = await runGateCommand({ command, source, ...around });
      if (detail !== undefined) return { successful: false, detail };
      return { successful: true, tested: { stages: [], untestedImages: [], program: command } };
    },
  };
}
