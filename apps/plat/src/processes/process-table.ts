import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TABLE_BYTES_MAX = 64 * 1024 * 1024;

/** A running process of this machine. */
export interface RunningProcess {
  pid: number;
  parent: number;
  group: number;
  /** Its command line, as all users of the machine can read it. */
  line: string;
}

/** The processes of this machine, without those that have ended and are not reaped yet. */
export async function processTable(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,args='], {
    maxBuffer: TABLE_BYTES_MAX,
  });
  return parseProcessTable(stdout);
}

/** A row up to its command line, which may have any characters, because a process sets its own. */
const FIELDS = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+([^\sZ]\S*)\s/;

/** @param text rows of process id, parent, group, state and command line */
export function parseProcessTable(text: string): RunningProcess[] {
  return text.split('\n').flatMap((row) => {
    const fields = FIELDS.exec(row);
    if (!fields) return [];
    const [all, pid, parent, group] = fields;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        line: row.slice(all.length).trim(),
      },
    ];
  });
}

/** All descendants of the process; empty if the machine cannot list them. */
export async function descendantsOf(pid: number): Promise<number[]> {
  return descendantsIn(await processTable().catch(() => []), pid);
}

/** Finds them without recursion: processes may be nested deeper than functions can call each other. */
export function descendantsIn(table: readonly RunningProcess[], pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const each of table) {
    const siblings = children.get(each.parent);
    if (siblings) siblings.push(each.pid);
    else children.set(each.parent, [each.pid]);
  }
  const found = new Set<number>();
  const open = [pid];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const child of children.get(at) ?? []) {
      if (child === pid || found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  }
  return [...found];
}
