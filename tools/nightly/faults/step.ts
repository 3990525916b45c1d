import { Random } from '@plat/testing';
import type { NightlyStep } from '../step';
import type { Scene } from './clients';
import { disturb, type Faults, type Goal, type Roll, rollUnderLoad } from './disturbance';
import { judgeRun } from './judgement';
import { setFaultStand } from './stand';

const GOAL: Goal = { acknowledged: 10_000, kills: 100, restarts: 10, cuts: 200, failovers: 1 };

/** Kills and cuts off two processes of each service and their database while requests are under way. */
export const faultsStep: NightlyStep = {
  summary:
    `${GOAL.kills} kills, ${GOAL.restarts} restarts of the database, ${GOAL.cuts} cuts at COMMIT and a failover ` +
    'under load, then a rolling restart without a failed request',
  async run({ runs = GOAL.acknowledged, seed = Date.now() % 2 ** 31 }) {
    const stand = await setFaultStand();
    try {
      const scene: Scene = {
        ...{ url: stand.deployment.url, token: stand.token, random: new Random(seed) },
        ...{ operations: [], live: [], promoted: [], reviewIds: [], buildIds: [] },
        ...{ answered: [], unanswered: [], unansweredAt: [] },
        found: { replayed: 0, all: 0 },
      };
      const goal = goalOf(runs);
      const faults = await disturb(scene, stand, goal);
      report(scene, seed, faults);
      const roll = await rollUnderLoad(scene, stand);
      reportRoll(roll);
      await stand.deployment.stop();
      const violations = await judgeRun(stand.database.ownerUrl, scene);
      process.stdout.write(`  ${violations.length} violations\n`);
      violations.unshift(...missed(goal, { ...faults, acknowledged: scene.answered.length }));
      if (roll.failed > 0) violations.unshift(`${roll.failed} requests failed in the rolling restart`);
      if (violations.length > 0) throw new Error(violations.slice(0, 20).join('\n'));
    } finally {
      await stand.strike();
    }
  },
};

/** The goal for fewer requests, with faults in proportion. */
function goalOf(acknowledged: number): Goal {
  const share = acknowledged / GOAL.acknowledged;
  return {
    acknowledged,
    kills: Math.ceil(GOAL.kills * share),
    restarts: Math.ceil(GOAL.restarts * share),
    cuts: Math.ceil(GOAL.cuts * share),
    failovers: GOAL.failovers,
  };
}

/** The parts of the goal that the run did not reach, which is then no proof. */
function missed(goal: Goal, reached: Goal): string[] {
  const parts = Object.keys(goal) as (keyof Goal)[];
  return parts
    .filter((part) => reached[part] < goal[part])
    .map((part) => `only ${reached[part]} of ${goal[part]} ${part} in the longest time that a run may take`);
}

function report(scene: Scene, seed: number, seen: Faults & { seconds: number }): void {
  const { operations, answered, unanswered, found } = scene;
  const moved = operations.filter(({ outcome }) => outcome === 'moved' || outcome === 'done').length;
  process.stdout.write(
    `  seed ${seed}: ${answered.length} requests answered (${moved} with success), ${unanswered.length} not, ` +
      `in ${seen.seconds.toFixed(0)} s; ${seen.kills} kills, ${seen.restarts} restarts of the database, ` +
      `${seen.cuts} cuts at COMMIT, ${seen.failovers} failover; ${found.all} lost answers found by their keys, ` +
      `${found.replayed} of work that was done\n`,
  );
}

function reportRoll({ seconds, answered, failed }: Roll): void {
  process.stdout.write(
    `  rolling restart in ${seconds.toFixed(0)} s: ${answered} requests answered, ${failed} failed\n`,
  );
}
