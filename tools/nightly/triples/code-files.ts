import fc from 'fast-check';

/** A file of code consists of few different lines, which repeat. */
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'omega'] as const;
const LOOSE_LINES = ['', '}', '{', '  }', '  return;', '  });', '*/', '// TODO', '  else {'] as const;

type Word = (typeof WORDS)[number];

/** Lines that belong together. Two blocks of the same kind and word have the same lines. */
export type Block =
  | { kind: 'function' | 'import' | 'class' | 'test'; word: Word }
  | { kind: 'line'; text: (typeof LOOSE_LINES)[number] }
  | { kind: 'entry'; number: number }
  | { kind: 'around'; block: Block; line: string };

export function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'import':
      return [`import { ${block.word} } from './${block.word}';`];
    case 'function':
      return [`function ${block.word}() {`, `  call(${block.word.length});`, '  return;', '}', ''];
    case 'class':
      return [`class ${block.word} {`, '  constructor() {', '  }', '', '  close() {', '  }', '}', ''];
    case 'test':
      return [`  it('${block.word}', () => {`, '    expect(run()).toBe(true);', '  });', ''];
    case 'line':
      return [block.text];
    case 'entry':
      return [`- entry ${block.number}`];
    case 'around': {
      const [first, ...others] = linesOf(block.block);
      return first === undefined ? [block.line] : [first, block.line, ...others];
    }
  }
}

const word = fc.constantFrom(...WORDS);
export const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('function' as const), word }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('import' as const), word }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('class' as const, 'test' as const), word }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('line' as const), text: fc.constantFrom(...LOOSE_LINES) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('entry' as const), number: fc.nat({ max: 9 }) }) },
);

/** An edit of a file. Places are lines of the original file, wrap around, and include its end. */
export type Edit =
  | { do: 'insert'; at: number; block: Block }
  | { do: 'delete'; at: number; count: number }
  | { do: 'replace'; at: number; block: Block }
  | { do: 'append'; block: Block };

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('insert' as const), at: fc.nat({ max: 60 }), block }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      at: fc.nat({ max: 60 }),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('replace' as const), at: fc.nat({ max: 60 }), block }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append' as const), block }) },
);

/**
 * The base's lines with these edits. Merging and reverting are then sums of lists, and the place of each line is known
 * without a diff. Of several changes of one line the last one wins; inserts at one place keep the order of the list.
 */
export function edited(base: readonly string[], edits: readonly Edit[]): string[] {
  const lines: (string[] | undefined)[] = base.map((line) => [line]);
  const inserted = Array.from({ length: base.length + 1 }, (): string[] => []);
  for (const each of edits) {
    if (each.do === 'append') {
      inserted[base.length]!.push(...linesOf(each.block));
    } else if (each.do === 'insert') {
      inserted[each.at % (base.length + 1)]!.push(...linesOf(each.block));
    } else if (base.length > 0) {
      const at = each.at % base.length;
      const end = each.do === 'delete' ? Math.min(base.length, at + each.count) : at + 1;
      for (let line = at; line < end; line += 1) {
        lines[line] = each.do === 'replace' ? linesOf(each.block) : [];
      }
    }
  }
  return [...inserted.entries()].flatMap(([at, before]) => [...before, ...(lines[at] ?? [])]);
}
