import type { LedgerComparison } from '../landings/check-ledger';
import { chooseLandings } from './examined-landings';

const DAY_MS = 86_400_000;

/** A history without receipts, the newest commit first: days from now at which each was committed. */
function windowOf(...days: number[]) {
  const commits = days.map((day, index) => ({
    commitId: `${index}`,
    parentIds: [`${index + 1}`],
    committedAt: new Date(Date.now() + day * DAY_MS).toISOString(),
    subject: '',
  }));
  const compared = {
    check: { rows: [], commitsBefore: 0 },
    history: { commits },
  } as unknown as LedgerComparison;
  const { landings, window } = chooseLandings(compared);
  return { examined: landings.map(({ commitIds: [id] }) => id), isComplete: window.isComplete };
}

describe('the landings of a window', () => {
  it('are those of 30 days before the newest commit', () => {
    expect(windowOf(-1, -20, -40)).toEqual({ examined: ['0', '1'], isComplete: true });
  });

  it('are not fewer if the newest commit has a date in the future', () => {
    expect(windowOf(20_000, -1, -20, -40).examined).toEqual(['0', '1', '2']);
  });

  it('are not more if an old commit has one', () => {
    expect(windowOf(-1, -60, 20_000, -90).examined).toEqual(['0']);
  });
});
