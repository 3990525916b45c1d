import { scriptedGitServer, type Answerer, type ServedGit } from '@plat/testing';
import { median } from '../median';
import { cases } from './cases';
import type { BenchRepository } from './repository';
import { Subject } from './subject';
import type { Asked } from './subject/exchange';

const QUESTIONS = 30;
/** Verifications of hostile remotes under way or waiting, all of one tenant. */
const HOSTILE = 24;
const DRIP_GAP_MS = 200;

/** How long another tenant's verification takes, without and with hostile remotes of one tenant beside it. */
export interface Neighbours {
  aloneSeconds: number;
  besideSeconds: number;
}

const hang: Answerer = (response) => void response.flushHeaders();
/** A line of 65,535 bytes, a byte every now and then: it is never silent for long, and not done before its time is up. */
const drip: Answerer = (response) => {
  const timer = setInterval(() => response.write('f'), DRIP_GAP_MS);
  response.on('close', () => clearInterval(timer));
};

export async function measureNeighbours(
  { repository, server }: { repository: BenchRepository; server: ServedGit },
  signal: AbortSignal,
): Promise<Neighbours> {
  const [near] = cases;
  const remoteUrl = `${server.origin}/${repository.name}`;
  const question = { ...(await near!.ask(repository)), remoteUrl, tenantId: 'neighbour' } as Asked;
  const hostile = await Promise.all([scriptedGitServer({ fetch: hang }), scriptedGitServer({ fetch: drip })]);
  const subject = await Subject.start(signal);
  try {
    const seconds = async () => {
      const taken: number[] = [];
      for (let turn = 0; turn < QUESTIONS; turn += 1) {
        signal.throwIfAborted();
        taken.push((await subject.ask(question)).seconds);
      }
      return median(taken);
    };
    await seconds();
    const aloneSeconds = await seconds();
    for (let index = 0; index < HOSTILE; index += 1) {
      const { origin } = hostile[index % hostile.length]!;
      // They are not waited for: they last until their cap, or until the process is ended.
      subject.ask(hostileQuestion(origin)).catch(() => undefined);
    }
    return { aloneSeconds, besideSeconds: await seconds() };
  } finally {
    await subject.stop();
    await Promise.all(hostile.map((each) => each.close()));
  }
}

function hostileQuestion(origin: string): Asked {
  const commitId = 'c'.repeat(40);
  return {
    condition: 'queue',
    remoteUrl: `${origin}/o/r.git`,
    targetBranch: 'main',
    commitId,
    tenantId: 'hostile',
  };
}
