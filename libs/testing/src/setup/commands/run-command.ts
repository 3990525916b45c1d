import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Command, type CommandRun, execute } from './execute';

/**
 * Runs a command to its end. In a jest worker the run's server starts it: a fork copies the tables of the worker's
 * memory, which costs several times what the command itself does.
 */
export async function runCommand(command: Command): Promise<CommandRun> {
  const path = process.env.PLAT_TEST_COMMAND_SERVER;
  if (path === undefined) return execute(command);
  const socket = connect(path);
  socket.end(JSON.stringify(command));
  return JSON.parse(await text(socket)) as CommandRun;
}
