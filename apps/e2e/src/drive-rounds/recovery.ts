import type { PlatRun } from '../drive-stand';
import { GATE } from './disturbances';
import type { Place, RoundWorld } from './round-world';

/** Most drives of one recovery. A recovery that needs more makes no progress. */
const DRIVES_MAX = 12;

interface Failed {
  code: string;
  details?: { next?: string };
}

/** Runs in each checkout the commands that the client prints, as a person does, until no review waits. */
export async function recover(world: RoundWorld): Promise<PlatRun[]> {
  const runs: PlatRun[] = [];
  for (const place of world.places) {
    await takeBackGateMerge(place);
    runs.push(...(await driveToTheEnd(place)));
  }
  return runs;
}

/** What a gate-merge by hand left in the checkout when it was killed. Drives do not touch the checkout. */
async function takeBackGateMerge({ checkout }: Place): Promise<void> {
  if ((await checkout.git('status', '--porcelain')) === '') return;
  await checkout.git('stash', '--include-untracked').catch(() => checkout.git('reset', '--quiet', '--hard'));
}

async function driveToTheEnd(place: Place): Promise<PlatRun[]> {
  const runs: PlatRun[] = [];
  let more: string[] = [];
  for (let drives = 0; drives < DRIVES_MAX; drives += 1) {
    const line = ['drive', '--target-branch', 'main', '--gate-command', GATE, ...more];
    const run = await place.checkout.plat(line, place.machine);
    runs.push(run);
    const result = JSON.parse(run.stdout) as { reviews?: unknown[] } & Failed;
    if (result.reviews?.length === 0) return runs;
    more = result.reviews ? [] : await wayOut(place, result);
  }
  throw new Error(`${place.name}: ${DRIVES_MAX} drives, and still not at the end: ${runs.at(-1)?.stdout}`);
}

/** Does what the next step of a stopped drive says. @returns flags for the next drive */
async function wayOut({ name, checkout }: Place, { code, details }: Failed): Promise<string[]> {
  const next = details?.next ?? '';
  switch (code) {
    case 'CHECKOUT_MOVED':
    case 'LOCAL_COMMITS': {
      const keep = /git (branch kept-\S+ [0-9a-f]{40})/.exec(next)?.[1];
      if (keep === undefined) throw new Error(`${name}: ${code} says no way out: ${next}`);
      // An earlier round may have made this branch already.
      await checkout.git(...keep.split(' ')).catch(() => undefined);
      return [];
    }
    case 'GATED_ELSEWHERE':
    case 'GATE_RUN_HELD':
      return ['--take-over'];
    case 'GATE_CHANGED_FILES':
    case 'PUSH_REJECTED':
    case 'TARGET_MOVES':
    case 'NOT_THE_PLATFORM':
    case 'PLATFORM_UNREACHABLE':
    case 'TAKEN_OVER':
      return [];
    default:
      throw new Error(`${name}: a drive ended with ${code}, which is no end of a round: ${next}`);
  }
}
