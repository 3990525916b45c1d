import { setTimeout as delay } from 'node:timers/promises';
import { type ListeningSocket, socketsHere } from './listening-sockets';
import { readProcess, type RunningProcess } from './running-process';

/** A process that listens on a port of this machine's loopback address. */
export interface PortHolder {
  /** Undefined if it cannot be seen. */
  process?: RunningProcess | undefined;
  /** For a message: the process id and the command, or what is known instead. */
  name: string;
}

const COMMAND_LENGTH_MAX = 200;
/** Longest wait for the sockets of a process that has ended. */
const RELEASE_MILLISECONDS_MAX = 1000;
const POLL_MILLISECONDS = 5;

/**
 * The processes that listen on a TCP port of 127.0.0.1 or of every address, by the operating system's own tables. One that
 * ends during the look is none of them: its first thread counts as ended a moment before the others, which still have its
 * sockets then, so a socket of this user without a process is looked at again, for at most a second.
 *
 * @param first the process that most likely has the port, which is looked at first
 * @param list default: by the tables of the system that this is
 */
export async function holdersOfPort(port: number, first?: number, list = socketsHere): Promise<PortHolder[]> {
  const deadline = performance.now() + RELEASE_MILLISECONDS_MAX;
  for (;;) {
    const found = await Promise.all((await list(port, first)).map(holderOf));
    const isEnding = found.some(
      ({ holder, socket }) => holder.process === undefined && socket.isOwn === true,
    );
    if (!isEnding || performance.now() > deadline) return withoutDoubles(found.map(({ holder }) => holder));
    await delay(POLL_MILLISECONDS);
  }
}

async function holderOf(socket: ListeningSocket): Promise<{ socket: ListeningSocket; holder: PortHolder }> {
  const { pid } = socket;
  const process = pid === undefined ? undefined : await readProcess(pid);
  return { socket, holder: { process, name: process === undefined ? unseenName(socket) : nameOf(process) } };
}

function unseenName({ pid, isOwn }: ListeningSocket): string {
  if (pid !== undefined) return `process ${pid}`;
  return isOwn === false ? "another user's process" : 'a process that cannot be seen';
}

function nameOf({ pid, argv }: RunningProcess): string {
  const command = argv.join(' ').replace(/\p{Cc}+/gu, ' ');
  const shown = command.length > COMMAND_LENGTH_MAX ? `${command.slice(0, COMMAND_LENGTH_MAX)}…` : command;
  return `process ${pid} (${shown})`;
}

/** A process may have several sockets. */
function withoutDoubles(holders: readonly PortHolder[]): PortHolder[] {
  return holders.filter(
    ({ process }, index) =>
      process === undefined || holders.findIndex((other) => other.process?.pid === process.pid) === index,
  );
}
