/** Errors of git and of the checkout that a command works in, with their meanings. */
export const CHECKOUT_ERRORS = {
  BEGUN_CHECKOUT_UNREADABLE:
    'An earlier run noted in the checkout that it had begun a checkout, and the note is damaged.',
  CANNOT_SIGN: 'git is set to sign commits, and cannot sign one on this machine.',
  CHECKED_OUT_ELSEWHERE:
    'Another worktree has the branch checked out, and git would move it under that worktree.',
  CHECKOUT_CHANGED: 'A command failed, and set aside changes that were made in the checkout meanwhile.',
  CHECKOUT_MOVED: 'The checkout is on another commit or branch than the command left it on.',
  CHECKOUT_NOT_RESTORED: 'A command failed, and could not put the checkout back to where it was before.',
  CHECKOUT_OF_ANOTHER_USER: 'git refuses to work in a checkout whose files another user owns.',
  CHECKOUT_SILENT: 'git checked files out for a long time without any progress.',
  DIRTY_TREE: 'The checkout has uncommitted changes, which the command would lose or mix up with its own.',
  DUPLICATE_SOURCE: 'A branch to merge is named twice, or is the target branch.',
  FILES_IN_THE_WAY: 'Untracked files would be overwritten by the commit that is to be checked out.',
  GATE_CHANGED_FILES: 'Tracked files changed while the gate ran, so it did not test the merge as it is.',
  GIT_FAILED: 'git ended with an error that the client has no better name for.',
  GIT_NOT_RUNNABLE: 'git is not installed, or not on the PATH.',
  GIT_OUTPUT_TOO_LARGE: 'git printed more than the client keeps in memory.',
  GIT_TOO_OLD: 'The command needs a feature that this version of git does not have.',
  HIDDEN_FILES:
    'git is set to ignore changes of some files, so the client does not see whether they changed.',
  INVALID_BRANCH: 'The text is no name that git accepts for a branch.',
  INVALID_COMMIT_ID: 'A commit is named by something else than its full id.',
  LEFT_PROCESSES: 'Processes of an earlier gate still run, and could change the files of the next one.',
  LOCAL_COMMITS: 'The checkout has commits that no branch or tag holds, and they would be lost.',
  NO_COMMIT: 'The checkout has no commit yet.',
  NO_IDENTITY: 'git has no name and address for the author of commits.',
  NO_SUCH_COMMIT: 'The commit is not in this checkout.',
  NOT_A_CHECKOUT: 'The folder is not inside a checkout of git.',
  NOT_IN_HISTORY: 'The commit is not in the first-parent history of the target branch.',
  OWN_ATTRIBUTES: 'Attributes of git that are set on this machine alone change the files of a merge.',
  SHALLOW_CHECKOUT: 'The clone is shallow, and lacks the history that a merge needs.',
  SUBMODULE_UNUSABLE: 'A submodule of the commit cannot be checked out on any machine.',
  UNFINISHED_OPERATION:
    'A merge, rebase, bisection or the like has begun in the checkout and is not finished.',
  WORKTREE_OF_DRIVES: 'The folder is the worktree of drives, in which no other command works.',
  WORKTREE_UNUSABLE: 'The worktree of drives cannot be made, or cannot be cleaned.',
} satisfies Readonly<Record<string, string>>;
