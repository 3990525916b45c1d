import { mkdir, readFile, writeFile } from 'node:fs/promises';
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

/**
 * Writes the programs into a folder. Their answers are those that the real programs gave; `.peers.spec.ts` files run
 * the same commands with the real ones.
 */
export async function clusterPrograms(folder: string, names: readonly ToolName[] = ['kubectl', 'helm']) {
  const programs = join(folder, 'cluster-programs');
  await mkdir(programs, { recursive: true });
  const [scripts, calls] = [join(programs, 'scripts.json'), join(programs, 'calls')];
  for (const name of names) {
    await writeFile(join(programs, name), program(name, { scripts, calls }), { mode: 0o755 });
  }
  const double: ClusterPrograms = {
    path: `${programs}${delimiter}${PATH}`,
    answer: (wanted) =>
      writeFile(scripts, JSON.stringify(wanted.map(({ when, ...rest }) => ({ ...rest, when: when.source })))),
    async calls() {
      const text = await readFile(calls, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ToolCallSeen]));
    },
  };
  await double.answer([]);
  return double;
}

function program(name: ToolName, files: { scripts: string; calls: string }): string {
  return `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const caller = process.ppid;
const argv = [${JSON.stringify(name)}, ...process.argv.slice(2)];
const reads = argv.includes('-');
const input = reads ? readFileSync(0, 'utf8') : '';
appendFileSync(${JSON.stringify(files.calls)}, JSON.stringify({ argv, input }) + '\\n');
const scripts = JSON.parse(readFileSync(${JSON.stringify(files.scripts)}, 'utf8'));
const script = scripts.find(({ when }) => new RegExp(when).test(argv.join(' '))) ?? {};
if (script.once) {
  writeFileSync(${JSON.stringify(files.scripts)}, JSON.stringify(scripts.filter((other) => other !== script)));
}
process.stdout.write(script.stdout ?? '');
process.stderr.write(script.stderr ?? '');
process.exitCode = script.code ?? 0;
if (script.signals) process.kill(caller, script.signals);
// A caller that was killed cannot end its programs, and no test would.
if (script.hangs || script.signals) setInterval(() => process.ppid === caller || process.exit(), 100);
`;
}
