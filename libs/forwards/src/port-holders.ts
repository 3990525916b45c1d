import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readProcess, type RunningProcess } from './running-process';

/** A process that listens on a port of this machine's loopback address. */
export interface PortHolder {
  /** Undefined: another user's, whose processes cannot be seen. */
  process?: RunningProcess | undefined;
  /** For a message: the process id and the command, or what is known instead. */
  name: string;
}

const LISTENING = '0A';
const COMMAND_LENGTH_MAX = 200;

/** The processes that listen on a TCP port of 127.0.0.1 or of every address, by the operating system's own tables. */
export async function holdersOfPort(port: number): Promise<PortHolder[]> {
  const pids = process.platform === 'linux' ? await pidsOnLinux(port) : await pidsByLsof(port);
  const found = await Promise.all(
    pids.map(async (pid) => (pid === undefined ? undefined : readProcess(pid))),
  );
  return found.map((holder, index) => ({ process: holder, name: nameOf(holder, pids[index]) }));
}

function nameOf(holder: RunningProcess | undefined, pid: number | undefined): string {
  if (holder === undefined) return pid === undefined ? "another user's process" : `process ${pid}`;
  const command = holder.argv.join(' ').replace(/\p{Cc}+/gu, ' ');
  const shown = command.length > COMMAND_LENGTH_MAX ? `${command.slice(0, COMMAND_LENGTH_MAX)}…` : command;
  return `process ${holder.pid} (${shown})`;
}

/** @returns an undefined entry for a socket whose process cannot be seen */
async function pidsOnLinux(port: number): Promise<Array<number | undefined>> {
  const inodes = new Set<string>();
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const [address = '', hex = ''] = local.split(':');
      if (state === LISTENING && Number.parseInt(hex, 16) === port && isLoopback(address)) {
        inodes.add(`socket:[${inode}]`);
      }
    }
  }
  if (inodes.size === 0) return [];
  const seen = await processesWith(inodes);
  const hidden = [...inodes].filter((inode) => !seen.has(inode)).map(() => undefined);
  return [...new Set(seen.values()), ...hidden];
}

/** 127.0.0.0/8, ::1, the same mapped into IPv6, and every address; in the byte order of the table. */
function isLoopback(address: string): boolean {
  return (
    /^0+$/.test(address) ||
    /^[0-9A-F]{6}7F$/.test(address) ||
    address === '00000000000000000000000001000000' ||
    /^0000000000000000FFFF0000(?:[0-9A-F]{6}7F|0{8})$/.test(address)
  );
}

/** The process of each of the sockets; several processes may have one, the first one counts. */
async function processesWith(sockets: ReadonlySet<string>): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids.sort((one, other) => one - other)) {
    const folder = `/proc/${pid}/fd`;
    const files = await readdir(folder).catch(() => []);
    const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')));
    for (const link of links) if (sockets.has(link) && !found.has(link)) found.set(link, pid);
    if (found.size === sockets.size) break;
  }
  return found;
}

async function pidsByLsof(port: number): Promise<number[]> {
  try {
    const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpn'];
    const { stdout } = await promisify(execFile)('lsof', args);
    return lsofHolders(stdout);
  } catch {
    // lsof exits with 1 if nothing is found.
    return [];
  }
}

/** The processes in the output of `lsof -Fpn` that listen on the loopback address or on every address. */
export function lsofHolders(text: string): number[] {
  const found = new Set<number>();
  let pid = 0;
  for (const line of text.split('\n')) {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1));
    if (/^n(?:\*|127\.[\d.]+|0\.0\.0\.0|\[(?:::1?|::ffff:127\.[\d.]+)\]):\d+$/i.test(line)) found.add(pid);
  }
  return [...found];
}
