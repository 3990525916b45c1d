import { pathToFileURL } from 'node:url';
import { embeddedVerifierConfig } from './config';
import type { LandedContent } from './content/content-verdict';
import type { ContentQuestion } from './content/judge-content';
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
export async function judgeHere(
  question: ContentQuestion,
  { folder, gitSearchPath, workerFile, signal }: Judging,
): Promise<LandedContent> {
  const config = { ...embeddedVerifierConfig, gitSearchPath };
  const verifier = new Verifier(config, { workerFile });
  try {
    const asked = { ...question, remoteUrl: pathToFileURL(folder).href };
    return await verifier.judgeContent(asked, { signal });
  } finally {
    await verifier.close();
  }
}
