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
  const table = await processTable().catch(() => []);
  const childrenOf = (parent: number): number[] =>
    table.flatMap((each) => (each.parent === parent ? [each.pid, ...childrenOf(each.pid)] : []));
  return childrenOf(pid);
}
