import { type Block, type Edit, edited, linesOf } from '../triples/code-files';

/** The entry of a path in a commit. */
export interface Entry {
  mode: '100644' | '100755' | '120000';
  content: string;
}
export type Content = ReadonlyMap<string, Entry>;

/** The files of every repository's first commit. Those of code consist of generated blocks. */
export const CODE_FILES = ['main.ts', 'lib/util.ts', 'lib/deep/parse.ts', 'doc/guide.md'] as const;
/** A file that others remove from time to time, and that no review touches. */
export const RETIRED = 'doc/legacy.md';
export const CHANGELOG = 'CHANGES.md';
export const BINARY = 'assets/image.bin';
export const LINK = 'current';

export const WHOLE_CHANGES = ['mode', 'remove', 'rename', 'rename folder', 'add', 'binary', 'link'] as const;
type WholeChange = (typeof WHOLE_CHANGES)[number] | 'retire';

/** One person's change to one file. Its lines carry a number of its own, which distinguishes it from other changes. */
export type Change = { file: number; number: number } & (
  | { edit: Edit; whole?: undefined }
  | { whole: WholeChange; edit?: undefined }
  | { log: true; edit?: undefined; whole?: undefined }
);

/** A line that only this change writes. */
export const ownLine = (number: number): string => `  step_${number}();`;

/** An edit with a line of its own among the repeated ones. */
function withOwnLine(edit: Edit, number: number): Edit {
  if (edit.do === 'delete') return edit;
  return { ...edit, block: { kind: 'around', block: edit.block, line: ownLine(number) } };
}

/** The files of a commit with exactly these changes. */
export function contentOf(code: readonly (readonly Block[])[], changes: readonly Change[]): Content {
  const entries = new Map<string, Entry>();
  CODE_FILES.forEach((name, file) => {
    const own = changes.filter((change) => change.file % CODE_FILES.length === file);
    const edits = own.flatMap(({ edit, number }) => (edit ? [withOwnLine(edit, number)] : []));
    const has = (whole: Change['whole']) => own.some((change) => change.whole === whole);
    if (has('remove')) return;
    const lines = edited(bodyOf(code[file] ?? [], name), edits);
    const path = has('rename') ? `${name}.moved` : name;
    entries.set(path, { mode: has('mode') ? '100755' : '100644', content: text(lines) });
  });
  for (const { whole, file, number } of changes) {
    if (whole === 'add') {
      entries.set(`new/file_${file % 3}`, { mode: '100644', content: `added ${number}\n` });
    }
  }
  if (!changes.some(({ whole }) => whole === 'retire')) {
    entries.set(RETIRED, { mode: '100644', content: text(['# Legacy', '', 'kept for a while']) });
  }
  const numbersOf = (whole: Change['whole']) =>
    changes.flatMap((change) => (change.whole === whole ? change.number : []));
  const entriesOfLog = changes.flatMap((change) => ('log' in change ? [`- change ${change.number}`] : []));
  entries.set(CHANGELOG, { mode: '100644', content: text(['# Changes', '', ...entriesOfLog]) });
  entries.set(BINARY, { mode: '100644', content: `\0image ${numbersOf('binary').at(-1) ?? 'first'}` });
  entries.set(LINK, { mode: '120000', content: `target_${numbersOf('link').at(-1) ?? 'first'}` });
  return numbersOf('rename folder').length > 0 ? withFolderMoved(entries) : entries;
}

/** Each file begins with lines of its own, so that git finds no similar files. */
function bodyOf(blocks: readonly Block[], name: string): string[] {
  const own = Array.from({ length: 8 }, (_, line) => `// ${name}, line ${line} of its head`);
  return [...own, ...blocks.flatMap(linesOf)];
}

function withFolderMoved(entries: Content): Content {
  return new Map([...entries].map(([path, entry]) => [path.replace(/^lib\//, 'src/'), entry]));
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
