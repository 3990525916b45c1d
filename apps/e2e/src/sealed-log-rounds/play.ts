import { FAULTS } from './faults';
import { live, read, sealRest, write } from './history';
import { faultsOfExport, type Findings, judge, NOTHING } from './judgement';
import { Round } from './round';
import { listUnsealedRows } from './rows';
import type { LogStand } from './stand';

/** The kind of a round in which nothing is altered. */
export const SOUND = 'nothing altered';

/** How a round ended. */
export interface Played {
  kind: string;
  /** The name of the fault. */
  name: string;
  /** The deviations from the expected, in words. */
  wrong: string[];
}

/** Plays one round: a log with a history, then a fault or none, then the judgement of each observer. */
export async function play(stand: LogStand, seed: number): Promise<Played> {
  const round = await Round.begin(stand, seed);
  const kind = round.random.chance(0.3) ? SOUND : round.random.pick(Object.keys(FAULTS));
  const name = kind === SOUND ? SOUND : round.random.pick(Object.keys(FAULTS[kind]!));
  const wrong = await playOne(round, { kind, name }).catch((error: unknown) => [`${(error as Error).stack}`]);
  await round.end();
  return { kind, name, wrong: wrong.map((text) => `seed ${seed}, ${name}: ${text}`) };
}

async function playOne(round: Round, { kind, name }: Pick<Played, 'kind' | 'name'>): Promise<string[]> {
  await live(round);
  const left = await listUnsealedRows(round.stand);
  const wrong = [...left, ...(await faultsOfExport(round, await read(round)))];
  if (wrong.length > 0) return wrong;
  const fault = FAULTS[kind]?.[name];
  const witness = (await fault?.alter(round)) ?? { known: round.known, reader: round.reader };
  if (fault?.goesOn && round.random.chance(0.3)) {
    await write(round, round.upTo(8));
    await sealRest(round);
  }
  return differences(await judge(round, witness), fault?.found ?? NOTHING);
}

const differences = (found: Findings, expected: Findings): string[] =>
  (Object.keys(expected) as (keyof Findings)[])
    .filter((by) => found[by] !== expected[by])
    .map((by) => `${by} finds ${found[by]}, not ${expected[by]}`);
