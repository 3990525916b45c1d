import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from './faults';
import { read, sealRest, write } from './history';
import type { Findings, Witness } from './judgement';
import { run, signByService } from './rewriting';
import { ORIGIN, type Round } from './round';
import { type Extent, putBack, save } from './saved-log';

/** The view is sound in itself, so only an observer who has kept a checkpoint finds the fault. */
const CONTRADICTION: Findings = { key: 'SOUND', known: 'CONTRADICTS', client: 3, operator: false };

/** Puts the early copy back, and lets the service go on with it. */
async function fork(round: Round, extent: Extent): Promise<void> {
  await putBack(round.stand, 'early', extent);
  await write(round, round.upTo(8));
  await sealRest(round);
}

/** Shows another reader a fork, and everybody else the log as it was. @returns the other reader */
async function twoViews(round: Round): Promise<Witness> {
  const reader = round.stranger();
  await save(round.stand, 'late');
  await fork(round, 'everything');
  const note = await readFile(join(await round.export(reader), 'checkpoint'), 'utf8');
  await putBack(round.stand, 'late', 'everything');
  return { known: [note], reader };
}

/** Shows the checkpoint before the last one, as a cache or a replica does. */
async function showFormer(round: Round): Promise<void> {
  const [former] = round.known.slice(-1);
  await write(round, round.upTo(8));
  await sealRest(round);
  await read(round);
  const [, size] = former!.split('\n');
  await run(round, 'UPDATE ledger.logs SET note = $2, note_size = $3 WHERE tenant_id = $1', former, size);
}

/** Logs that are sound, and not the one that was shown before. */
export const VIEW_FAULTS: Readonly<Record<string, Fault>> = {
  'an old backup of the log put back': {
    alter: (round) => fork(round, 'ledger'),
    found: CONTRADICTION,
    goesOn: true,
  },
  'an old backup of the log and the trail put back': {
    alter: (round) => fork(round, 'everything'),
    found: CONTRADICTION,
    goesOn: true,
  },
  'two views for two readers': { alter: twoViews, found: CONTRADICTION },
  'a former checkpoint shown': { alter: showFormer, found: CONTRADICTION },
  'the log under another name': {
    alter: async (round) => {
      await run(round, 'UPDATE ledger.logs SET origin = $2 WHERE tenant_id = $1', `other${ORIGIN}`);
      await signByService(round);
    },
    // A key signs under the name of its log; the client remembers the tenant's log by the other one.
    found: { key: 'ALTERED', known: 'ALTERED', client: 3, operator: false },
  },
};
