/** Errors of a forge such as GitHub, its pull requests, statuses and rulesets, with their meanings. */
export const FORGE_ERRORS = {
  BYPASS_LIST_HIDDEN: 'The token for the forge may not see who can bypass the ruleset.',
  FORGE_REFUSED: 'The forge answered a call with a refusal.',
  FORGE_UNREACHABLE: 'The forge does not answer.',
  HEAD_MOVED: 'The pull request got further commits after the gate fetched it.',
  INVALID_REPOSITORY: 'The text is no address of a repository.',
  NO_FORGE_TOKEN: 'No token for the forge is configured, or none that may be sent to this host.',
  NO_PULL_REQUEST: 'No open pull request proposes the branch onto the target.',
  NOT_GOVERNED: 'The ruleset does not apply to the target branch.',
  NOT_ON_A_FORGE: 'The address of the repository is none of a forge.',
  QUEUE_CANNOT_PUSH: 'The user who drives the queue may not push to the repository.',
  UNREADABLE_FORGE_SESSION: 'The session file of gh is damaged.',
} satisfies Readonly<Record<string, string>>;
