import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

/** A socket that listens on a port of this machine's loopback address, or of every address. */
export interface ListeningSocket {
  /** The id of its process; undefined if that cannot be seen. */
  pid?: number | undefined;
  /** Whether it is this user's, so that its process would be seen while it runs; undefined if that is not known. */
  isOwn?: boolean | undefined;
}

/** How a system lists them. @param first the process that most likely has the port, which is looked at first */
export type ListSockets = (port: number, first?: number) => Promise<ListeningSocket[]>;

/** Lists the sockets by the operating system's own tables. */
export const socketsHere: ListSockets = (port, first) =>
  process.platform === 'linux' ? socketsIn('/proc', port, first) : socketsByLsof('lsof', port);

const LISTENING = '0A';

/** @param folder /proc */
export async function socketsIn(folder: string, port: number, first?: number): Promise<ListeningSocket[]> {
  const uids = new Map<string, number>();
  const tables = ['tcp', 'tcp6'].map((table) =>
    readFile(`${folder}/net/${table}`, 'utf8').catch(() => undefined),
  );
  const texts = (await Promise.all(tables)).filter((text) => text !== undefined);
  if (texts.length === 0) return unseenSockets(port);
  for (const line of texts.flatMap((text) => text.split('\n').slice(1))) {
    const [, local = '', , state, , , , uid, , inode] = line.trim().split(/\s+/);
    const [address = '', hex = ''] = local.split(':');
    if (state === LISTENING && Number.parseInt(hex, 16) === port && isLoopback(address)) {
      uids.set(`socket:[${inode}]`, Number(uid));
    }
  }
  if (uids.size === 0) return [];
  const pids = await processesWith(folder, new Set(uids.keys()), first);
  const me = process.geteuid?.();
  return [...uids].map(([socket, uid]) => ({ pid: pids.get(socket), isOwn: me === 0 || uid === me }));
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
async function processesWith(
  folder: string,
  sockets: ReadonlySet<string>,
  first: number | undefined,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const names = await readdir(folder).catch(() => []);
  const all = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const others = all.filter((pid) => pid !== first).sort((one, other) => one - other);
  for (const pid of first === undefined ? others : [first, ...others]) {
    const files = await readdir(`${folder}/${pid}/fd`).catch(() => []);
    const links = await Promise.all(
      files.map((file) => readlink(`${folder}/${pid}/fd/${file}`).catch(() => '')),
    );
    for (const link of links) if (sockets.has(link) && !found.has(link)) found.set(link, pid);
    if (found.size === sockets.size) break;
  }
  return found;
}

/** @param program lsof, which not every machine has */
export async function socketsByLsof(program: string, port: number): Promise<ListeningSocket[]> {
  try {
    const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpn'];
    const { stdout } = await promisify(execFile)(program, args);
    return lsofHolders(stdout).map((pid) => ({ pid, isOwn: true }));
  } catch (error) {
    // lsof exits with 1 if it sees none: the port is free, or its process is another user's.
    const { code } = error as { code?: unknown };
    return (await unseenSockets(port)).map((socket) => ({
      ...socket,
      isOwn: code === 1 ? false : undefined,
    }));
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

/** Without a table, an attempt to listen shows whether a port is taken. */
async function unseenSockets(port: number): Promise<ListeningSocket[]> {
  const server = createServer();
  try {
    await once(server.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening');
    return [];
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? [{}] : [];
  } finally {
    server.close();
  }
}
