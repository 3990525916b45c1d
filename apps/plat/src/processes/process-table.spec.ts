import { descendantsIn, parseProcessTable } from './process-table';

describe('the table of processes', () => {
  it('has a process whose command line has characters that end a line in a pattern', () => {
    const text =
      '    1     0     1 Ss   init\n   42     1    42 S+   gate \u2028 hidden\r more\n   43     1    43 Z    gone\n';
    expect(parseProcessTable(text)).toEqual([
      { pid: 1, parent: 0, group: 1, line: 'init' },
      { pid: 42, parent: 1, group: 42, line: 'gate \u2028 hidden\r more' },
    ]);
  });

  it('is read in proportion to its length', () => {
    // A pattern that backtracks would need longer than a test may take.
    const [row] = parseProcessTable(`7 1 7 S x${' '.repeat(1_000_000)}\u2028x`);
    expect(row!.line).toHaveLength(1_000_003);
  });

  it('shows the descendants of a process, however deep they are nested', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => ({
      pid: at + 2,
      parent: at + 1,
      group: 1,
      line: 'x',
    }));
    expect(descendantsIn(chain, 1)).toHaveLength(20_000);
    expect(descendantsIn([...chain, { pid: 7, parent: 9, group: 1, line: 'x' }], 19_999)).toEqual([
      20_000, 20_001,
    ]);
  });
});
