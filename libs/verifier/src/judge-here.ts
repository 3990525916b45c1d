import { pathToFileURL } from 'node:url';
import { embeddedVerifierConfig } from './config';
import type { LandedContent } from './content/content-verdict';
import type { ContentQuestion } from './content/judge-content';
import type { StandingAnswer, StandingQuestion } from './standing/standing';
import type { UndoneQuestion } from './undone/undone-by';
import type { UndoneUnknown, UndoneWork } from './undone/undone-work';
import { Verifier } from './verifier';

/** The place in which a landing is judged on this machine. */
export interface Judging {
  /** The folder of a repository without a work tree, which has both branches of the question. */
  folder: string;
  /** PATH on which git is searched. */
  gitSearchPath: string | undefined;
  /** The bundled worker program. Default: `verifier-worker.js` next to the running file. */
  workerFile?: string | undefined;
  /** Ends the judgement. */
  signal?: AbortSignal | undefined;
}

/**
 * Judges a landing in a repository of this machine, as the service will judge it in the remote one: in a process of its own,
 * whose time and memory are bounded. For a client, before it pushes.
 *
 * @returns UNKNOWN if the repository cannot be read, if that takes too long, or if the signal is aborted
 */
export async function judgeHere(question: ContentQuestion, judging: Judging): Promise<LandedContent> {
  const remoteUrl = pathToFileURL(judging.folder).href;
  return verifyHere(judging, (verifier, signal) =>
    verifier.judgeContent({ ...question, remoteUrl }, { signal }),
  );
}

/**
 * Determines what a landing would take back of earlier ones, in a repository of this machine. For a client, before it pushes.
 *
 * @throws VerifierUnavailable if the process ends, and the signal's reason
 */
export async function findUndoneHere(
  question: UndoneQuestion,
  judging: Judging,
): Promise<UndoneWork | UndoneUnknown> {
  const remoteUrl = pathToFileURL(judging.folder).href;
  return verifyHere(judging, (verifier, signal) =>
    verifier.findUndoneWork({ ...question, remoteUrl }, { signal }),
  );
}

/** Questions about the landings of a repository of this machine. */
export interface LandingsHere {
  /** Determines which parts of landings the target has lost since. */
  findStanding(question: StandingQuestion): Promise<StandingAnswer | UndoneUnknown>;
  /** Determines what a landing takes back of earlier ones. */
  findUndoneWork(question: UndoneQuestion): Promise<UndoneWork | UndoneUnknown>;
}

/**
 * Runs work that asks many such questions, which share a process.
 *
 * @throws VerifierUnavailable if the process ends, and the signal's reason
 */
export async function withLandingsHere<T>(
  judging: Judging,
  work: (here: LandingsHere) => Promise<T>,
): Promise<T> {
  const remoteUrl = pathToFileURL(judging.folder).href;
  return verifyHere(judging, (verifier, signal) =>
    work({
      findStanding: (question) => verifier.findStanding({ ...question, remoteUrl }, { signal }),
      findUndoneWork: (question) => verifier.findUndoneWork({ ...question, remoteUrl }, { signal }),
    }),
  );
}

async function verifyHere<Answer>(
  { gitSearchPath, workerFile, signal }: Judging,
  ask: (verifier: Verifier, signal: AbortSignal | undefined) => Promise<Answer>,
): Promise<Answer> {
  const verifier = new Verifier({ ...embeddedVerifierConfig, gitSearchPath }, { workerFile });
  try {
    return await ask(verifier, signal);
  } finally {
    await verifier.close();
  }
}
