import {
  CHANNEL_TITLES,
  forwardArgs,
  holdersOfPort,
  isSameForward,
  matchesForward,
  probe,
  readProcess,
  readRecord,
} from '@plat/forwards';
import { shellQuote } from '../terminal/shell-quote';
import {
  daemonProgram,
  type ForwardedEnvironment,
  type PlannedForward,
  plannedForwards,
} from './forward-plan';

const PROBE_MILLISECONDS = 2_000;

/** What `plat open` would do to each channel's forward: read-only, and no file is moved. Decisions G2, G11. */
export async function plannedSteps(opened: ForwardedEnvironment, clientRoot: string): Promise<string[]> {
  const steps = plannedForwards(opened).map(async (forward) => {
    const lines = await stepsOf(forward, daemonProgram(clientRoot));
    return lines.map((line) => `${CHANNEL_TITLES[forward.channel]}: ${line}`);
  });
  return (await Promise.all(steps)).flat();
}

async function stepsOf({ channel, path, record, start }: PlannedForward, program: string): Promise<string[]> {
  const { record: found, isLegacy } = await readRecord(path);
  const isSame = found !== undefined && !isLegacy && isSameForward(found, record);
  const [holder] = await holdersOfPort(record.localPort);
  const begin = shellQuote(['node', program, ...forwardArgs(start)]);
  if (holder === undefined) return [begin];
  const { alive } = await probe(channel, record.localPort, PROBE_MILLISECONDS);
  if (isSame && alive) return [`reuse 127.0.0.1:${record.localPort}`];
  const running = holder.process;
  const recorded = isSame && found.processId !== undefined ? await readProcess(found.processId) : undefined;
  const isRecorded = recorded !== undefined && recorded.pid === running?.pid;
  const isMatching = running !== undefined && matchesForward(running.argv, start);
  if (isMatching && alive) return [`adopt process ${running.pid}`];
  if (running !== undefined && (isMatching || isRecorded)) return [`kill ${running.pid}`, begin];
  return [`local port ${record.localPort} is already in use by ${holder.name}`];
}
