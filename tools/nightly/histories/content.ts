import { ABSENT_AT_FIRST, type Edit, FILES, LINES } from './plan';

/** What a path holds; a submodule's content is the id of its commit. */
export interface Entry {
  mode: '100644' | '100755' | '120000' | '160000';
  content: string;
}

/** What one of the files has become, whatever it is called now. */
interface FileState {
  name: string;
  mode: Entry['mode'];
  /** Line by line of the first content: what stands in its place. A link and a binary file have none. */
  lines: readonly string[];
  /** Of a link and a binary file. */
  whole?: string;
}

/** Some lines are alike, so that an edit may be at home in several places. */
const lineOf = (path: string, line: number): string => (line % 4 === 3 ? '\n' : `${path} ${line}\n`);
const SUBMODULE = 'module';

/** What a commit contains that has these edits and no others: merging and reverting are sums of sets then. */
export function contentOf(edits: readonly Edit[], has: ReadonlySet<number>): Map<string, Entry> {
  const entries = new Map<string, Entry>([[SUBMODULE, { mode: '160000', content: submoduleOf(edits, has) }]]);
  for (const state of statesOf(edits, has)) {
    if (state === undefined) continue;
    const { name, mode, lines, whole } = state;
    entries.set(name, { mode, content: whole ?? lines.join('') });
  }
  return entries;
}

/**
 * The same content by what can be edited rather than by path, with the place of each line known instead of found by
 * a diff. What can't be seen, such as the lines of a removed file, is not in it.
 */
export function placesOf(edits: readonly Edit[], has: ReadonlySet<number>): Map<string, string> {
  const places = new Map([[SUBMODULE, submoduleOf(edits, has)]]);
  statesOf(edits, has).forEach((state, file) => {
    if (state === undefined) return;
    const { lines, ...aspects } = state;
    for (const [place, value] of [...Object.entries(aspects), ...lines.entries()]) {
      places.set(`${file} ${place}`, value);
    }
  });
  return places;
}

/** By file; undefined where it was removed. */
function statesOf(edits: readonly Edit[], has: ReadonlySet<number>): (FileState | undefined)[] {
  const own = edits.map((edit, id) => ({ ...edit, id })).filter(({ id }) => has.has(id));
  return FILES.map((path, file) =>
    stateOf(
      path,
      own.filter((edit) => edit.file === file),
    ),
  );
}

function stateOf(path: string, edits: readonly (Edit & { id: number })[]): FileState | undefined {
  const lines = Array.from({ length: LINES }, (_, line) => [lineOf(path, line)]);
  let present = !ABSENT_AT_FIRST.has(path);
  let name = path;
  let mode: Entry['mode'] = '100644';
  let whole: string | undefined;
  for (const { kind, line, id } of edits) {
    if (kind === 'replace line') lines[line] = [`edit ${id}\n`];
    if (kind === 'insert line') lines[line]?.push(`edit ${id}\n`);
    if (kind === 'repeat line') lines[line]?.push(lineOf(path, line));
    if (kind === 'delete line') lines[line] = [];
    if (kind === 'remove file') present = false;
    if (kind === 'add file') present = true;
    if (kind === 'rename') name = `${path}.renamed-${id}`;
    if (kind === 'make directory') name = `${path}/inside-${id}`;
    if (kind === 'change mode') mode = mode === '100644' ? '100755' : '100644';
    if (kind === 'make symlink') [mode, whole] = ['120000', `target-${id}`];
    if (kind === 'make binary') whole = `\0binary ${id}`;
  }
  if (!present) return undefined;
  return whole === undefined
    ? { name, mode, lines: lines.map((each) => each.join('')) }
    : { name, mode, lines: [], whole };
}

function submoduleOf(edits: readonly Edit[], has: ReadonlySet<number>): string {
  const moved = edits.flatMap(({ kind }, id) => (kind === 'move submodule' && has.has(id) ? [id] : []));
  const last = moved.at(-1);
  return last === undefined ? 'a'.repeat(40) : last.toString(16).padStart(40, 'b');
}
