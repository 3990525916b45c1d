import { parseVerifierKey } from '@plat/ledger';
import { type LogFiles, Random, SealedLog } from '@plat/testing';
import {
  ALTERATIONS,
  CONTRADICTIONS,
  type Given,
  indexIn,
  kindOf,
  type Round,
} from '../black-box/altered-log';
import type { LogFolder } from './log-folder';
import { verifyCheckpoint } from './signed-checkpoint';
import { type Judgement, verifyLog } from './verify-log';

const ROUNDS = Number(process.env.LEDGER_ROUNDS ?? 300);
const SEED = Number(process.env.LEDGER_SEED ?? 1);
/** Sizes around the borders of bundles come more often than by chance. */
const SIZES = [1, 2, 3, 5, 8, 20, 60, 254, 255, 256, 257, 300, 511, 513];

const folderOf = (files: LogFiles): LogFolder => ({
  paths: () => files.keys(),
  read: (path) => Promise.resolve(files.get(path)),
});

/** A sound log with every kind of entry, and the keys that sign it. */
function generate(random: Random): Round {
  const log = new SealedLog();
  const round = { random, log, keys: [log.key] };
  const size = random.chance(0.85) ? 1 + Math.floor(random.next() * 24) : random.pick(SIZES);
  while (log.size < size) addSomething(round);
  return round;
}

function addSomething({ random, log, keys }: Round): void {
  const kind = random.next();
  if (kind < 0.7) log.addAudit(1 + Math.floor(random.next() * (log.size / 4)));
  else if (kind < 0.85) addLanding(random, log);
  else if (kind < 0.9) keys.push(log.addKey());
  else eraseSome({ random, log, keys });
}

function addLanding(random: Random, log: SealedLog): void {
  const landing = log.addLanding();
  if (!random.chance(0.3)) return;
  const { reviewId } = JSON.parse(log.entries[landing]!.shown!.fields) as { reviewId: string };
  log.addLanding({ reviewId, contentVerdict: 'DIVERGENT' });
}

function eraseSome({ random, log }: Round): void {
  const erasable = log.entries.flatMap((entry, index) =>
    ['audit', 'landing'].includes(kindOf(entry)) && random.chance(0.3) ? [index] : [],
  );
  if (erasable.length > 0) log.erase(erasable, random.pick(['person', 'retention'] as const));
}

/** A sound log, and checkpoints of it that were known. */
function sound(round: Round): Given {
  const { log, keys } = round;
  const known = [1, indexIn(round) + 1, log.size].map((size) => log.checkpoint({ size, keys }));
  return { files: log.files({ keys }), known };
}

/** Whether the log is judged so, and the first wrong entry is named if the files say which it is. */
const isRight = (judgement: Judgement, outcome: Judgement['outcome'], { index }: Given): boolean =>
  judgement.outcome === outcome &&
  (index === undefined || (judgement.outcome === 'ALTERED' && judgement.index === index));

async function judge({ log, keys }: Round, { files, trusted = [], known = [] }: Given): Promise<Judgement> {
  const all = [...keys, ...trusted].map((key) => parseVerifierKey(log.verifierKey(key)));
  return verifyLog(folderOf(files), { keys: all, known: known.map((note) => verifyCheckpoint(note, all)) });
}

/** A sound log in a folder in which someone and their file manager have left files. */
function beside(round: Round): Given {
  const given = sound(round);
  for (const path of ['.DS_Store', 'tile/.DS_Store', 'disclosed/.x/y', 'README.md', 'notes/tile/0/000']) {
    given.files.set(path, Buffer.from('x'));
  }
  return given;
}

type Case = readonly [string, (round: Round) => Given, Judgement['outcome']];
const CASES: readonly Case[] = [
  ...Object.entries(ALTERATIONS).map(([name, alter]): Case => [name, alter, 'ALTERED']),
  ...Object.entries(CONTRADICTIONS).map(([name, alter]): Case => [name, alter, 'CONTRADICTS']),
];
const SOUND: Case = ['nothing altered', sound, 'SOUND'];
const BESIDE: Case = ['files that are not of the log', beside, 'SOUND'];

describe('the check of an exported log', () => {
  it.each([SOUND, BESIDE, ...CASES])('%s', async (_name, alter, outcome) => {
    for (let seed = 0; seed < 3; seed += 1) {
      const round = generate(new Random(seed));
      const given = alter(round);
      const judgement = await judge(round, given);
      expect(judgement).toMatchObject(
        given.index === undefined ? { outcome } : { outcome, index: given.index },
      );
    }
  });

  it(`finds all that is altered and nothing else, in ${ROUNDS} rounds`, async () => {
    const count = { altered: 0, found: 0, sound: 0, falseAlarms: 0 };
    const wrong: string[] = [];
    for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) {
      const random = new Random(seed);
      const [name, alter, outcome] = random.chance(0.25) ? SOUND : random.pick(CASES);
      const round = generate(random);
      const given = alter(round);
      const judgement = await judge(round, given);
      const right = isRight(judgement, outcome, given);
      if (outcome === 'SOUND') {
        count.sound += 1;
        count.falseAlarms += Number(!right);
      } else {
        count.altered += 1;
        count.found += Number(right);
      }
      if (!right) wrong.push(`seed ${seed}: ${name} is ${judgement.outcome}`);
    }
    process.stdout.write(
      `  seed ${SEED}: ${ROUNDS} rounds, ${count.found} of ${count.altered} altered logs found, ` +
        `${count.falseAlarms} false alarms on ${count.sound} sound ones\n`,
    );
    expect(wrong).toEqual([]);
  }, 1_800_000);
});
