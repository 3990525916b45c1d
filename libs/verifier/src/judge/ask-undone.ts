import { embeddedVerifierConfig } from '../config';
import type { UndoneUnknown, UndoneWork } from '../undone/undone-work';
import { askInProcess } from './ask-in-process';

/** A repository with a branch `topic`. */
interface Remote {
  fileUrl: string;
  git(...args: string[]): Promise<string>;
}

/** For specs: what a landed commit, the squash of `topic`, takes back. */
export async function undoneBy(remote: Remote, commitId: string, days = 30): Promise<UndoneWork> {
  const answer = await askUndone(remote, commitId, days);
  if ('unknown' in answer) throw new Error(`unknown: ${answer.unknown}`);
  return answer;
}

export async function askUndone(
  remote: Remote,
  commitId: string,
  days = 30,
): Promise<UndoneWork | UndoneUnknown> {
  const sourceCommitId = await remote.git('rev-parse', 'topic');
  const question = { commitId, sourceCommitId, days, address: remote.fileUrl };
  const answer = await askInProcess({ condition: 'undone', ...question }, embeddedVerifierConfig);
  return answer as unknown as UndoneWork | UndoneUnknown;
}

/** For specs: findings, each as `certainty kind commit path:lines version`. */
export async function wordsOf(remote: Remote, { findings }: UndoneWork): Promise<string[]> {
  const words = findings.map(async ({ certainty, kind, commitId, path, in: file, firstLine, lastLine }) => {
    const subject = await remote.git('log', '-1', '--format=%s', commitId);
    const place = firstLine === undefined ? path : `${path}:${firstLine}-${lastLine} ${file}`;
    return `${certainty} ${kind} ${subject} ${place}`;
  });
  return Promise.all(words);
}

/** For specs: the findings on a topic that is landed as one commit, as `wordsOf` has them. */
export async function findingsOf(
  { remote, land }: { remote: Remote; land: () => Promise<string> },
  days?: number,
): Promise<string[]> {
  return wordsOf(remote, await undoneBy(remote, await land(), days));
}
