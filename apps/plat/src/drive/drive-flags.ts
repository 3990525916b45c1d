import { forgeFlags } from '../forge/forge-flags';
import { Flags } from '../terminal/oclif';

/** What `plat drive` is asked for. */
export const driveFlags = {
  target: Flags.string({
    description: 'Target branch of the queue',
    required: true,
    helpValue: '<branch>',
  }),
  'gate-command': Flags.string({
    description: 'Shell command that tests the merge, run in the checkout (default: plat build --gate)',
    helpValue: '<command>',
  }),
  'forge-url': forgeFlags['forge-url'],
  once: Flags.boolean({ description: 'Stop after one review' }),
  'under-lease': Flags.string({ description: "The caller's own claim", helpValue: '<lease_id>' }),
  'dry-run': Flags.boolean({ description: 'Print the steps for the next review, take none' }),
};
