import { isSaidRevert } from './said-reverts';

const landing = {
  commitId: '1234567890abcdef1234567890abcdef12345678',
  reviewId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11',
  reviewName: 'Check the sender (#42)',
  issueRef: '7',
};
const isSaid = (text: string, revertedIds: string[] = []) =>
  isSaidRevert(landing, { texts: [text], revertedIds });

describe('a review says that it reverts a landing', () => {
  it.each([
    'Revert "Check the sender"',
    'Reverts "Check the sender (#42)" and more',
    'This reverts #7',
    'It undoes Check the sender, since the edge does it.',
    'This undoes 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11, on purpose.',
    'Undo #7, which the edge does',
    'undo review 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11',
    'Does not revert Check all the receivers, but reverts Check the sender',
    'Add limits\n\nThis reverts commit 1234567890abcdef.',
  ])('by %j', (text) => {
    expect(isSaid(text)).toBe(true);
  });

  it('by the commit of a commit message of its source', () => {
    expect(isSaid('', ['1234567'])).toBe(true);
    expect(isSaid('', ['7654321'])).toBe(false);
  });

  it.each([
    'Check the sender again',
    'Revert "Check the receiver"',
    'Check the sender\n\nRevert nothing',
    'The reverted Check the sender',
    'Revert "Check the sender again"',
    'This does not revert Check the sender',
    'This doesn’t revert Check the sender',
    "It doesn't undo 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11",
    'Log without reverting Check the sender',
    'It no longer undoes #7',
    'Revert "Revert "Check the sender (#42)""',
    'Add an undo feature for #7',
    'Since #7 was there, this reverts nothing',
    'This reverts #72',
  ])('not by %j', (text) => {
    expect(isSaid(text)).toBe(false);
  });

  it('by a short name in quotes alone, which is a word of many sentences', () => {
    const said = (text: string) =>
      isSaidRevert({ ...landing, reviewName: 'Log' }, { texts: [text], revertedIds: [] });
    expect(said('Undo. Log the amount')).toBe(false);
    expect(said('Revert "Log"')).toBe(true);
  });

  it('and the revert of a revert is that of the revert', () => {
    const revert = { ...landing, reviewName: 'Revert "Check the receiver"' };
    const text = 'Revert "Revert "Check the receiver""';
    expect(isSaidRevert(revert, { texts: [text], revertedIds: [] })).toBe(true);
  });

  it('and a landing without a name is never meant', () => {
    expect(isSaidRevert({ ...landing, reviewName: '' }, { texts: ['revert'], revertedIds: [] })).toBe(false);
  });
});
