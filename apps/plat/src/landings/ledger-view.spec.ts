import type { LedgerCheck } from './ledger-row';
import { ledgerNotes } from './ledger-view';

it('prints the name of a log, which the platform chooses, without what changes the direction of a line', () => {
  const check = {
    ...{ targetBranch: 'main', tip: 'abc' },
    log: { origin: 'plat.example\u202e/log/1', size: 3 },
    counts: { LANDED: 1 },
    rows: [{ verdict: 'LANDED', commits: [] }],
    ...{ sound: true, commitsBefore: 0, landingsBefore: 0 },
  } as unknown as LedgerCheck;
  expect(ledgerNotes(check)).toEqual([
    'Compared main at abc with plat.example /log/1 of 3 entries: 1 LANDED.',
  ]);
});

it('counts the landings in which a person decided conflicts, and says how to see them', () => {
  const check = {
    ...{ targetBranch: 'main', tip: 'abc', log: { origin: 'plat.example/log/1', size: 3 } },
    counts: { LANDED: 2 },
    rows: [
      { verdict: 'LANDED', commits: [], contentVerdict: 'EXACT' },
      { verdict: 'LANDED', commits: [], contentVerdict: 'BY_HAND' },
    ],
    ...{ sound: true, commitsBefore: 0, landingsBefore: 0 },
  } as unknown as LedgerCheck;
  expect(ledgerNotes(check)).toEqual([
    'Compared main at abc with plat.example/log/1 of 3 entries: 2 LANDED.',
    'Of the receipts, 1 name what a person decided: plat review show <review_id>.',
  ]);
});
