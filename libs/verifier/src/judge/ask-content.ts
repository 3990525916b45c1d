import { embeddedVerifierConfig, type VerifierCaps } from '../config';
import type { LandedContent } from '../content/content-verdict';
import type { ContentQuestion } from '../content/judge-content';
import { askInProcess } from './ask-in-process';

/** A repository with a landing at its head. */
interface Landed {
  fileUrl: string;
  head(): Promise<string>;
  git(...args: string[]): Promise<string>;
}

/** For specs: the verdict on the head of a repository, as on a report through the queue. */
export async function judgeHead(
  remote: Landed,
  question: { anchorCommitId?: string; commitId?: string; targetBranch?: string } = {},
  caps: Partial<VerifierCaps> = {},
): Promise<LandedContent> {
  const asked = { sourceBranch: 'topic', targetBranch: 'main', ...question };
  return ask(remote, { commitId: await remote.head(), ...asked }, caps);
}

/** For specs: the verdict on the landing found in the target's history. */
export async function judgeReconciled(remote: Landed): Promise<LandedContent> {
  return ask(remote, { targetTip: await remote.head(), sourceTip: await remote.git('rev-parse', 'topic') });
}

/** For specs: the verdict with its reason, and the findings, each as `kind path:first-last in`. */
export async function verdictOf(...args: Parameters<typeof judgeHead>): Promise<[string, ...string[]]> {
  return wordsOf(await judgeHead(...args));
}

export function wordsOf(content: LandedContent): [string, ...string[]] {
  if (content.verdict === 'EXACT') return ['EXACT'];
  const places = (content.findings ?? []).map(({ kind, path, firstLine, lastLine, in: file }) =>
    [kind, firstLine === undefined ? path : `${path}:${firstLine}-${lastLine}`, file ?? ''].join(' ').trim(),
  );
  return [`${content.verdict} ${content.reason}`, ...places];
}

async function ask(
  { fileUrl: address }: Landed,
  question: ContentQuestion,
  caps: Partial<VerifierCaps> = {},
): Promise<LandedContent> {
  const config = { ...embeddedVerifierConfig, caps: { ...embeddedVerifierConfig.caps, ...caps } };
  return (await askInProcess({ condition: 'content', address, ...question }, config)) as LandedContent;
}
