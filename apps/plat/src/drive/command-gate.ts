import { runGateCommand } from '../gate/gate-command';
import type { Gate } from './gate';

/** The gate of a project that `plat build` does not build: a command for the shell. */
export function commandGate(command: string, source = '--gate-command'): Gate {
  return {
    planned: () => Promise.resolve(command),
    async run({ git, interrupted, output, beginning }) {
      const around = { folder: git.folder, interrupted, output, beginning };
      const detail = await runGateCommand({ command, source, ...around });
      if (detail !== undefined) return { successful: false, detail };
      return { successful: true, tested: { stages: [], untestedImages: [], program: command } };
    },
  };
}
