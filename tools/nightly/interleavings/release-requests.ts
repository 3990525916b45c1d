import { newId } from '@plat/contracts/core';
import type { Request } from './requests';
import type { World } from './world';

/** Short enough for a run to see many releases, and long enough to catch a service that ignores it. */
export const COOLDOWN_MS = 20;

const NOWHERE = { targetBranch: 'main', repository: null, moves: [] } as const;

/** POST /v1/releases, mostly for a commit that has a release already. */
export function enqueue(world: World): Request {
  const known = world.commits.slice(-5);
  const commit = known.length > 0 && world.random.chance(0.7) ? world.random.pick(known) : world.newCommit();
  return {
    name: 'enqueue',
    ...NOWHERE,
    send: async ({ releases, scope, commits }) => {
      await releases.call(scope, { name: 'releases.enqueue', args: [newId(), null, 'main', commit] });
      commits.push(commit);
      return { outcome: 'done', moves: [] };
    },
  };
}

interface Claimed {
  release_id: string;
  attempt: number;
}

/** A runner that claims a release and ends it as succeeded or failed. */
export function run(world: World): Request {
  const version = world.random.chance(0.5) ? '1.2.3' : null;
  return {
    name: 'run',
    ...NOWHERE,
    send: async ({ releases, scope }) => {
      const cooldown = `${COOLDOWN_MS} milliseconds`;
      const [claimed] = await releases.call<Claimed>(scope, { name: 'releases.claim', args: [cooldown] });
      if (!claimed) return { outcome: 'refused', moves: [] };
      const args = [claimed.release_id, claimed.attempt, version, null, version === null ? 'red' : null];
      const ended = await releases.call(scope, { name: 'releases.finish', args });
      if (ended.length !== 1) throw new Error(`the release that was claimed could not be finished`);
      return { outcome: 'done', moves: [] };
    },
  };
}
