import { type Answerer, scriptedGitServer, type ServedGit } from '@plat/testing';
import { median } from '../median';
import { cases } from './cases';
import type { BenchRepository } from './repository';
import { Subject } from './subject';
import type { Asked } from './subject/exchange';

const QUESTIONS = 30;
/** Verifications of hostile remotes that each hostile tenant asks for: first one tenant, then several. */
const HOSTILE = 24;
const HOSTILE_TENANTS = 6;
const DRIP_GAP_MS = 200;

/** How long another tenant's verification takes, without and with hostile remotes of one tenant next to it. */
export interface Neighbours {
  aloneSeconds: number;
  besideSeconds: number;
  /** The slowest one next to hostile remotes of several tenants. */
  worstSeconds: number;
}

const hang: Answerer = (response) => void response.flushHeaders();
/** Sends a line of 65,535 bytes byte by byte: never silent for long, and unfinished when the time is up. */
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
        const answered = await subject.ask(question);
        if (answered.verdict === 'unavailable') throw new Error("The neighbour's verification gave way.");
        taken.push(answered.seconds);
      }
      return taken;
    };
    const attack = (tenantId: string) => {
      for (let index = 0; index < HOSTILE; index += 1) {
        const { origin } = hostile[index % hostile.length]!;
        // Does not wait for these verifications: they last until their cap, or until the process ends.
        subject.ask(hostileQuestion(origin, tenantId)).catch(() => undefined);
      }
    };
    await seconds();
    const aloneSeconds = median(await seconds());
    attack('hostile');
    const besideSeconds = median(await seconds());
    for (let tenant = 1; tenant < HOSTILE_TENANTS; tenant += 1) attack(`hostile ${tenant}`);
    return { aloneSeconds, besideSeconds, worstSeconds: Math.max(...(await seconds())) };
  } finally {
    await subject.stop();
    await Promise.all(hostile.map((each) => each.close()));
  }
}

function hostileQuestion(origin: string, tenantId: string): Asked {
  const commitId = 'c'.repeat(40);
  return {
    condition: 'queue',
    remoteUrl: `${origin}/o/r.git`,
    targetBranch: 'main',
    commitId,
    tenantId,
  };
}
