import { ABSENT_AT_FIRST, type Edit, FILES, LINES } from './plan';

/** The entry of a path. A submodule's content is the id of its commit. */
export interface Entry {
  mode: '100644' | '100755' | '120000' | '160000';
  content: string;
}

/** The state of one file under any name. */
interface FileState {
  name: string;
  mode: Entry['mode'];
  /** By line of the first content: the lines that replace it. Absent for a link and a binary file. */
  lines: readonly string[];
  /** The content of a link or a binary file. */
  whole?: string;
}

/** Every fourth line is empty, so that an edit may fit several places. */
const lineOf = (path: string, line: number): string => (line % 4 === 3 ? '\n' : `${path} ${line}\n`);
const SUBMODULE = 'module';

/** The content of a commit with exactly these edits. Merging and reverting are then sums of sets. */
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
 * The same content by editable place instead of path, so that the place of each line is known without a diff. Places
 * that are not visible, such as the lines of a removed file, are absent.
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

/** By file; undefined if it is removed. */
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
