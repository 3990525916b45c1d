/** A command line for a program that runs many, one after another, in one process. */
export interface HostedCommand {
  /** The program, a file of Node's, and its arguments. It gets the rest as a message, and sends the exit code. */
  host: readonly [string, ...string[]];
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  /** The whole standard input; default: none. */
  input?: string | undefined;
}
