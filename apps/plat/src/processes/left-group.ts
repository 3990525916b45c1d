import { setTimeout as delay } from 'node:timers/promises';
import { isThere, type ProcessIdentity } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { signalGroup } from './group-signal';
import { processTable } from './process-table';

const GRACE_MILLISECONDS = 5000;
const POLL_MILLISECONDS = 50;

/**
 * Ends the processes of a group whose starter was killed: with SIGTERM, and with SIGKILL if they do not end. Signals
 * nothing unless the leader is exactly the recorded process.
 *
 * @returns whether any process was running
 * @throws Failure LEFT_PROCESSES with their ids and command lines, if the leader has ended and others of a group with
 *   its id run
 */
export async function endLeftGroup(leader: ProcessIdentity): Promise<boolean> {
  const members = await membersOf(leader.pid);
  if (members.length === 0) return false;
  if (!(await isThere(leader))) throw leftProcesses(leader.pid, members);
  signalGroup(leader.pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MILLISECONDS;
  while ((await membersOf(leader.pid)).length > 0) {
    if (Date.now() > deadline) signalGroup(leader.pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
  return true;
}

/** The running processes of the group, each with its id and its command line. */
async function membersOf(group: number): Promise<string[]> {
  const members = (await processTable()).filter((each) => each.group === group);
  return members.map(({ pid, line }) => printableLine(`${pid} ${line}`));
}

function leftProcesses(group: number, members: readonly string[]): Failure {
  return new Failure(
    'LEFT_PROCESSES',
    `Processes that may be an earlier run's are still at work: ${members.join('; ')}.`,
    {
      details: { group, members },
      next: nextStep('end them:', ['kill', '--', `-${group}`], '; or wait until they have ended'),
    },
  );
}
