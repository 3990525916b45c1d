import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ToolName } from '../cluster/run-tool';
import { PATH } from './plat-process';

/** An answer of kubectl or helm, for the calls whose command line matches. */
export interface ToolScript {
  /** Tested on the program and its arguments with spaces between them. */
  when: RegExp;
  stdout?: string;
  stderr?: string;
  /** Default 0. */
  code?: number;
  /** Given to the first such call alone. */
  once?: boolean;
  /** The program ends only with its caller. */
  hangs?: boolean;
  /** Sent to the client when it calls the program, which then ends only with the client. */
  signals?: NodeJS.Signals;
}

/** A call that a program got. */
export interface ToolCallSeen {
  argv: string[];
  input: string;
}

/** Programs named kubectl and helm that answer as scripted and keep every call; without a script they succeed silently. */
export interface ClusterPrograms {
  /** PATH with the programs before the others. */
  path: string;
  /** Replaces the scripts; the first that matches counts. */
  answer(scripts: readonly ToolScript[]): Promise<void>;
  calls(): Promise<ToolCallSeen[]>;
}

const PROGRAM = join(__dirname, 'cluster-program.bash');

/**
 * Writes the programs into a folder. Their answers are those that the real programs gave; `.peers.spec.ts` files run
 * the same commands with the real ones.
 */
export async function clusterPrograms(folder: string, names: readonly ToolName[] = ['kubectl', 'helm']) {
  const programs = join(folder, 'cluster-programs');
  const [scripts, calls] = [join(programs, 'scripts'), join(programs, 'calls')];
  await mkdir(calls, { recursive: true });
  for (const name of names) {
    await copyFile(PROGRAM, join(programs, name));
    await chmod(join(programs, name), 0o755);
  }
  const double: ClusterPrograms = {
    path: `${programs}${delimiter}${PATH}`,
    async answer(wanted) {
      await rm(scripts, { recursive: true, force: true });
      await Promise.all(wanted.map((script, at) => writeScript(join(scripts, `${1000 + at}`), script)));
    },
    async calls() {
      const names = (await readdir(calls)).sort();
      const texts = await Promise.all(names.map((name) => readFile(join(calls, name), 'utf8')));
      return texts.flatMap(readCall);
    },
  };
  await double.answer([]);
  return double;
}

/** Writes a script as the files that the program reads. */
async function writeScript(folder: string, script: ToolScript): Promise<void> {
  const { when, stdout = '', stderr = '', code = 0, hangs = false, signals = '', once = false } = script;
  const files = {
    when: asShellExpression(when),
    stdout,
    stderr,
    code: `${code}`,
    hangs: hangs ? 'yes' : '',
    once: once ? 'yes' : '',
    signals,
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
}

/** The expression for bash. @throws if it has what only JavaScript understands */
function asShellExpression({ source, flags }: RegExp): string {
  if (flags !== '' || /\\[a-zA-Z]|\(\?|[*+?}]\?/.test(source)) {
    throw new Error(`The double of kubectl and helm cannot match /${source}/${flags}.`);
  }
  return source.replaceAll('\\/', '/');
}

/** A call that a program has noted; nothing if it is still writing. */
function readCall(text: string): ToolCallSeen[] {
  const [count, ...fields] = text.split('\0');
  const words = Number(count);
  if (fields[words + 1] !== 'whole') return [];
  return [{ argv: fields.slice(0, words), input: fields[words] ?? '' }];
}
