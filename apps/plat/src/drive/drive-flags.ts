import { forgeUrlFlag } from '../forge/forge-flags';
import { gateTimeoutFlag } from '../gate/gate-time';
import { checkpointFlags } from '../landings/checkpoint-flags';
import type { CheckpointRecording } from '../landings/record-checkpoint';
import { Flags } from '../terminal/oclif';
import { passEnvFlag } from '../terminal/pass-env';
import { refuseUndoneFlag } from '../undone/undone-flags';

/** The flags of `plat drive`. */
export const driveFlags = {
  'target-branch': Flags.string({
    description: "Target branch of the queue (default: origin's own)",
    aliases: ['target'],
    helpValue: '<branch>',
  }),
  'gate-command': Flags.string({
    description:
      'Shell command that tests the merge, run in the worktree of drives (default: that of .plat/config.yaml on the target, else plat build --gate)',
    helpValue: '<command>',
  }),
  'gate-timeout': gateTimeoutFlag,
  'pass-env': passEnvFlag,
  'forge-url': forgeUrlFlag,
  'refuse-undone': refuseUndoneFlag,
  once: Flags.boolean({ description: 'Stop after one review' }),
  'take-over': Flags.boolean({ description: 'Gate a review of another holder that is gone' }),
  'give-up': Flags.boolean({
    description: "Put the earlier drive's review back to the tail of its queue, without driving",
    exclusive: ['once', 'take-over', 'gate-command', 'gate-timeout', 'record-checkpoint', 'dry-run'],
  }),
  ...checkpointFlags,
  'under-lease': Flags.string({ description: "The caller's own claim", helpValue: '<lease_id>' }),
  'dry-run': Flags.boolean({ description: 'Print the steps for the next review, take none' }),
};

interface GivenFlags {
  'gate-command'?: string | undefined;
  'gate-timeout'?: string | undefined;
  'pass-env'?: readonly string[] | undefined;
  'forge-url'?: string | undefined;
  'refuse-undone'?: boolean;
}

/** The given flags that a later drive needs as well, as words. What is done once, such as --take-over, is not among them. */
export function repeatedFlags(flags: GivenFlags, recording?: Pick<CheckpointRecording, 'flags'>): string[] {
  const valued = (['gate-command', 'gate-timeout', 'pass-env', 'forge-url'] as const).flatMap((name) =>
    [flags[name] ?? []].flat().flatMap((value) => [`--${name}`, value]),
  );
  const refusing = flags['refuse-undone'] ? ['--refuse-undone'] : [];
  return [...valued, ...refusing, ...(recording?.flags ?? [])];
}
