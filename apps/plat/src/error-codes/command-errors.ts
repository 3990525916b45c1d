/** Errors of the command line and of the client's own process, with their meanings. */
export const COMMAND_ERRORS = {
  BLANK_CONTEXT: 'A commit status has no context.',
  CANNOT_LISTEN: 'The server for agents cannot take its address and port.',
  COMMAND_REQUIRED: 'A job needs a command, and none follows the two hyphens.',
  INTERNAL_ERROR: 'The client has a defect.',
  INTERRUPTED: 'The command was stopped before its end.',
  INVALID_DURATION: 'The text is no duration that fits the flag.',
  INVALID_NUMBER: 'The text is no whole number that fits the flag.',
  INVALID_TIME: 'The text is no point in time.',
  INVALID_VARIABLE_NAME: 'The text is no name of an environment variable.',
  INVALID_VARIABLES: 'Environment variables that the client reads have unusable values.',
  MCP_TOKEN_EXPOSED: 'Others may read the file with the token for agents.',
  MCP_TOKEN_UNREADABLE: 'The file with the token for agents cannot be read.',
  MISSING_ARGUMENT: 'The command needs a further argument.',
  NO_TERMINAL: 'The command prints a secret, and the output is no terminal.',
  UNKNOWN_COMMAND: 'The client has no command with the name.',
  USAGE: 'The flags or arguments are not those of the command.',
} satisfies Readonly<Record<string, string>>;
