import { Flags } from '../terminal/oclif';

/** The flags of `plat exec gate-merge`. */
export const gateMergeFlags = {
  source: Flags.string({
    description: 'Branch to merge (repeatable)',
    required: true,
    multiple: true,
    helpValue: '<branch>',
  }),
  'target-branch': Flags.string({
    description: "Branch to merge onto (default: origin's own)",
    helpValue: '<branch>',
  }),
  'messages-on-stdin': Flags.boolean({
    description: 'Read the message of each source from stdin, with NUL between them',
  }),
  'under-lease': Flags.string({
    description: "The caller's own claim of the environment or worktree",
    helpValue: '<lease_id>',
  }),
  'dry-run': Flags.boolean({ description: 'Print the git commands, touch nothing' }),
};
