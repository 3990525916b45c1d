import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claimsOf, Random, TokenIssuer } from '@plat/testing';
import type { NightlyStep } from '../step';
import { type Scene, sendOne } from './clients';
import { CommitCutter } from './commit-cutter';
import { judgeRun } from './judgement';
import { buildService, Replicas } from './replicas';
import { RestartableDatabase } from './restartable-database';

/** The least that a run has to reach. */
const GOAL = { acknowledged: 10_000, kills: 100, restarts: 10, cuts: 200 };
const SECONDS = 180;
/** Longest run: a slow machine may not reach the goal by then, and the run ends with what it has reached. */
const SECONDS_MAX = 900;
const CLIENTS = 24;
const SERVICES = ['reviews', 'builds'] as const;

/** Kills and cuts off two processes of each service and their database while requests are under way. */
export const faultsStep: NightlyStep = {
  summary: `${GOAL.kills} kills, ${GOAL.restarts} restarts of the database and ${GOAL.cuts} cuts at COMMIT under load`,
  async run({ runs = GOAL.acknowledged, seed = Date.now() % 2 ** 31 }) {
    const folder = await mkdtemp(join(tmpdir(), 'plat-faults-'));
    const opened: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
    const open = async <T>(starting: Promise<T>, close: (started: T) => Promise<unknown>): Promise<T> => {
      const started = await starting;
      opened.push(() => close(started));
      return started;
    };
    try {
      await Promise.all(SERVICES.map(buildService));
      const issuer = await open(TokenIssuer.start(), (each) => each.stop());
      const database = await open(RestartableDatabase.start(join(folder, 'postgres'), issuer.url), (each) =>
        each.stop(),
      );
      const cutter = await open(CommitCutter.start(database.port), (each) => each.stop());
      const replicas = (name: (typeof SERVICES)[number]) =>
        open(
          Replicas.start({
            name,
            count: 2,
            folder,
            databaseUrl: database.loginUrl(`plat_${name}`, cutter.port),
          }),
          (each) => each.stop(),
        );
      const [reviews, builds] = [await replicas('reviews'), await replicas('builds')];
      const scene: Scene = {
        ...{ reviews, builds, token: await issuer.token(claimsOf('alice')), random: new Random(seed) },
        ...{
          operations: [],
          live: [],
          promoted: [],
          reviewIds: [],
          buildIds: [],
          answered: [],
          unanswered: [],
        },
      };
      const seconds = await disturb(scene, { database, cutter, goal: goalOf(runs) });
      await Promise.all([reviews.stop(), builds.stop()]);
      report(scene, { seed, seconds, restarts: database.restarts, cuts: cutter.cuts });
      const faults = await judgeRun(database.ownerUrl, scene);
      process.stdout.write(`  ${faults.length} violations\n`);
      if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'));
    } finally {
      for (const close of opened.reverse()) await close();
    }
  },
};

/** The goal for fewer requests, with faults in proportion. */
function goalOf(acknowledged: number): typeof GOAL {
  const share = acknowledged / GOAL.acknowledged;
  return {
    acknowledged,
    kills: Math.ceil(GOAL.kills * share),
    restarts: Math.ceil(GOAL.restarts * share),
    cuts: Math.ceil(GOAL.cuts * share),
  };
}

interface Disturbed {
  database: RestartableDatabase;
  cutter: CommitCutter;
  goal: typeof GOAL;
}

/** Sends requests and causes faults until the goal is reached. @returns seconds that it took */
async function disturb(scene: Scene, { database, cutter, goal }: Disturbed): Promise<number> {
  const { reviews, builds } = scene;
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  const acts: { each: number; left(): number; act(): Promise<void> | void }[] = [
    ...[reviews, builds].map((service) => ({
      each: SECONDS / (GOAL.kills / SERVICES.length),
      left: () => goal.kills / SERVICES.length - service.kills,
      act: () => service.killOne(),
    })),
    {
      each: SECONDS / GOAL.restarts,
      left: () => goal.restarts - database.restarts,
      act: () => database.restart(),
    },
    { each: SECONDS / GOAL.cuts, left: () => goal.cuts - cutter.cuts, act: () => cutter.cutNext() },
  ];
  const goOn = (): boolean =>
    seconds() < SECONDS_MAX &&
    (scene.answered.length < goal.acknowledged || acts.some(({ left }) => left() > 0));
  const client = async (): Promise<void> => {
    while (goOn()) await sendOne(scene);
  };
  const repeat = async ({ each, left, act }: (typeof acts)[number]): Promise<void> => {
    for (let next = each; goOn() && left() > 0; next = Math.max(next + each, seconds())) {
      await delay(Math.max(0, next - seconds()) * 1000);
      await act();
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, client), ...acts.map(repeat)]);
  return seconds();
}

function report(scene: Scene, seen: { seed: number; seconds: number; restarts: number; cuts: number }): void {
  const { operations, answered, unanswered, reviews, builds } = scene;
  const moved = operations.filter(({ outcome }) => outcome === 'moved' || outcome === 'done').length;
  process.stdout.write(
    `  seed ${seen.seed}: ${answered.length} requests answered (${moved} with success), ${unanswered.length} not, ` +
      `in ${seen.seconds.toFixed(0)} s; ${reviews.kills + builds.kills} kills, ${seen.restarts} restarts of the ` +
      `database, ${seen.cuts} cuts at COMMIT\n`,
  );
}
