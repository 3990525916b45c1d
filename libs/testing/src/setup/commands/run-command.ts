import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Command, type CommandRun, execute } from './execute';
import type { HostedCommand } from './hosted-command';

/**
 * Runs a command to its end. In a jest worker the run's server starts it: a fork copies the tables of the worker's
 * memory, which costs several times what the command itself does.
 */
export async function runCommand(command: Command): Promise<CommandRun> {
  const path = serverPath();
  return path === undefined ? execute(command) : ask(path, command);
}

/** Runs a command line in a process that runs many; undefined if the run of tests has no server for it. */
export async function runHostedCommand(command: HostedCommand): Promise<CommandRun | undefined> {
  const path = serverPath();
  return path === undefined ? undefined : ask(path, command);
}

const serverPath = () => process.env.PLAT_TEST_COMMAND_SERVER;

async function ask(path: string, command: Command | HostedCommand): Promise<CommandRun> {
  const socket = connect(path);
  socket.end(JSON.stringify(command));
  return JSON.parse(await text(socket)) as CommandRun;
}
