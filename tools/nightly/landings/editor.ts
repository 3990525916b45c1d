import { type Change, CODE_FILES, type Content, type Entry, ownLine, RETIRED } from './files';
import type { Operator } from './operators';
import { contentWithout } from './scenes';
import type { Sound } from './sound';

type Changed = [path: string, entry: Entry];

/** A line of a landed file. */
interface Line {
  path: string;
  index: number;
  text: string;
}

/** Makes one unreviewed change in the files of a sound landing. */
export class Editor {
  private readonly choice: number;

  constructor(
    private readonly sound: Sound,
    private readonly content: Content,
  ) {
    this.choice = sound.scene.plan.choice;
  }

  altered(): Changed | undefined {
    const line = this.pick(this.lines().filter(({ text }) => /[a-z]/.test(text)));
    return (
      line &&
      this.withLines(line.path, (lines) => lines.with(line.index, line.text.replace(/\w+/, 'altered')))
    );
  }

  /** Drops a line that only one side wrote, and perhaps one or two after it. */
  dropped(side: 'ours' | 'theirs'): Changed | undefined {
    const own = new Set(this.sound.scene.plan[side].flat().map(({ number }) => ownLine(number)));
    const all = this.lines();
    const first = this.pick(all.filter(({ text }) => own.has(text)));
    if (first === undefined) return undefined;
    return this.withLines(first.path, (lines) => lines.toSpliced(first.index, 1 + (this.choice % 3)));
  }

  extraLine(): Changed | undefined {
    const line = this.pick(this.lines());
    return line && this.withLines(line.path, (lines) => lines.toSpliced(line.index, 0, '  backdoor();'));
  }

  extraFile(): Changed {
    return ['extra', { mode: '100644', content: 'no one reviewed this\n' }];
  }

  mode(): Changed | undefined {
    const files = [...this.content].filter(([, { mode }]) => mode !== '120000');
    const [path, entry] = this.pick(files) ?? [];
    if (path === undefined || entry === undefined) return undefined;
    return [path, { ...entry, mode: entry.mode === '100644' ? '100755' : '100644' }];
  }

  emptied(): Changed | undefined {
    const { ours } = this.sound.scene.plan;
    const added = ours
      .flat()
      .find(({ whole, file }) => whole === 'add' && this.content.has(`new/file_${file % 3}`));
    const path = `new/file_${(added?.file ?? 0) % 3}`;
    if (added === undefined) return undefined;
    return [path, { mode: '100644', content: '' }];
  }

  /** Restores a file that others removed, with an additional line. */
  restored(): Changed | undefined {
    const [path, entry] = this.removedCode() ?? this.retired() ?? [];
    if (path === undefined || entry === undefined || this.content.has(path)) return undefined;
    return [path, { ...entry, content: `${entry.content}  more();\n` }];
  }

  private retired(): [string, Entry | undefined] | undefined {
    return this.before('retire', RETIRED);
  }

  private removedCode(): [string, Entry | undefined] | undefined {
    const removed = this.sound.scene.plan.ours.flat().find(({ whole }) => whole === 'remove');
    return removed && this.before('remove', CODE_FILES[removed.file % CODE_FILES.length] as string);
  }

  /** The entry of a path before others removed it. */
  private before(removal: Change['whole'], path: string): [string, Entry | undefined] {
    const { plan } = this.sound.scene;
    return [path, contentWithout(plan, 'ours', ({ whole }) => whole === removal).get(path)];
  }

  private lines(): Line[] {
    return [...this.content].flatMap(([path, { content, mode }]) => {
      if (mode === '120000' || content.startsWith('\0')) return [];
      return content
        .split('\n')
        .slice(0, -1)
        .map((text, index) => ({ path, index, text }));
    });
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[(this.choice * 31) % Math.max(1, items.length)];
  }

  private withLines(path: string, change: (lines: string[]) => string[]): Changed {
    const entry = this.content.get(path) as Entry;
    const lines = change(entry.content.split('\n').slice(0, -1));
    return [path, { ...entry, content: lines.map((line) => `${line}\n`).join('') }];
  }
}

/** Editors by operator. Each returns undefined if it finds nothing to change. */
export const EDITORS: readonly [Operator, (editor: Editor) => Changed | undefined][] = [
  ['hunk altered', (editor) => editor.altered()],
  ['hunk of the source dropped', (editor) => editor.dropped('theirs')],
  ['part of a hunk of others reverted', (editor) => editor.dropped('ours')],
  ['extra line', (editor) => editor.extraLine()],
  ['extra file', (editor) => editor.extraFile()],
  ['mode', (editor) => editor.mode()],
  ['file of others emptied', (editor) => editor.emptied()],
  ['file restored', (editor) => editor.restored()],
];
