import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@plat/testing';
import type { BuiltCommit, History } from './build';

/** Many histories in one repository, each with branches of its own: `<number>/main` and `<number>/source`. */
export interface HistoriesRepository {
  directory: string;
  /** Ids of each history's commits, in the order of its commits. */
  ids: string[][];
  remove(): Promise<void>;
}

/** Imports all histories with one run of `git fast-import`. */
export async function importHistories(histories: readonly History[]): Promise<HistoriesRepository> {
  const directory = await mkdtemp(join(tmpdir(), 'plat-histories-'));
  await git(directory, ['init', '--quiet', '--bare', '.']);
  await git(directory, ['config', 'uploadpack.allowFilter', 'true']);
  await git(directory, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
  await git(directory, ['config', 'advice.graftFileDeprecated', 'false']);
  let mark = 0;
  const stream = histories.map((history, number) => {
    const first = mark + 1;
    mark += history.commits.length;
    return historyStream(history, number, first);
  });
  const marks = join(directory, 'marks');
  await git(directory, ['fast-import', '--quiet', '--force', '--done', `--export-marks=${marks}`], {
    input: `${stream.join('')}done\n`,
  });
  const idOf = new Map(
    (await readFile(marks, 'utf8')).split('\n').map((row) => row.split(' ') as [string, string]),
  );
  mark = 0;
  const ids = histories.map(({ commits }) => commits.map(() => idOf.get(`:${(mark += 1)}`) ?? ''));
  return { directory, ids, remove: () => rm(directory, { recursive: true, force: true }) };
}

function historyStream({ commits, source, target }: History, number: number, firstMark: number): string {
  const written = commits.map((commit, index) => commitStream(commit, index, firstMark));
  const tips = { source, main: target };
  const refs = Object.entries(tips).map(
    ([name, index]) => `reset refs/heads/${number}/${name}\nfrom :${firstMark + index}\n\n`,
  );
  return [...written, ...refs].join('');
}

function commitStream({ parents, date, content }: BuiltCommit, index: number, firstMark: number): string {
  const [first, ...others] = parents.map((parent) => `:${firstMark + parent}`);
  return [
    // Resets the scratch branch for a commit without a parent, because its last commit would become the parent.
    first === undefined ? 'reset refs/imported\n\n' : '',
    `commit refs/imported\nmark :${firstMark + index}\ncommitter Test <test@example.com> ${date} +0000\n`,
    data(`commit ${index}`),
    first === undefined ? '' : `from ${first}\n`,
    ...others.map((parent) => `merge ${parent}\n`),
    'deleteall\n',
    ...[...content].map(([path, { mode, content: text }]) =>
      mode === '160000' ? `M ${mode} ${text} ${path}\n` : `M ${mode} inline ${path}\n${data(text)}`,
    ),
    '\n',
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
