import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@plat/contracts/core';
import { type Scene, sendOne } from './clients';
import type { FaultStand } from './stand';

/** The least that a run has to reach. */
export interface Goal {
  acknowledged: number;
  kills: number;
  restarts: number;
  cuts: number;
  failovers: number;
}

/** The faults that a run has caused in the services and their database. */
export interface Faults {
  kills: number;
  restarts: number;
  cuts: number;
  failovers: number;
}

/** The rolling restart after the faults. */
export interface Roll {
  seconds: number;
  answered: number;
  /** Requests that were sent since it began and had no answer, or an answer of 500 and above. */
  failed: number;
}

/** The time over which the faults of a full goal are spread. */
const SECONDS = 180;
/** Longest run: a slow machine may not reach the goal by then, and the run ends with what it has reached. */
const SECONDS_MAX = 900;
const CLIENTS = 24;
/** Good answers in a row after which the last fault counts as over. */
const CALM = 200;

/** Sends requests and causes faults until the goal is reached. @returns seconds that it took */
export async function disturb(
  scene: Scene,
  stand: FaultStand,
  goal: Goal,
): Promise<Faults & { seconds: number }> {
  const { database, cutter, deployment } = stand;
  const done = { restarts: 0, failovers: 0 };
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  // A server that is being restarted is not promoted at the same time.
  let busy = Promise.resolve();
  const inTurn = (act: () => Promise<void>) => (busy = busy.then(act));
  const acts: Act[] = [
    ...SERVICES.map((service) => ({
      each: SECONDS / (goal.kills / SERVICES.length),
      left: () => goal.kills - deployment.kills,
      act: () => deployment.kill(service),
    })),
    {
      each: SECONDS / goal.restarts,
      left: () => goal.restarts - done.restarts,
      act: () => inTurn(() => database.restartPrimary()).then(() => void (done.restarts += 1)),
    },
    {
      each: SECONDS / 2,
      left: () => goal.failovers - done.failovers,
      act: () => inTurn(() => database.failOver()).then(() => void (done.failovers += 1)),
    },
    { each: SECONDS / goal.cuts, left: () => goal.cuts - cutter.cuts, act: () => cutter.cutNext() },
  ];
  const goOn = (): boolean =>
    seconds() < SECONDS_MAX &&
    (scene.answered.length < goal.acknowledged || acts.some(({ left }) => left() > 0));
  const client = async (): Promise<void> => {
    while (goOn()) await sendOne(scene);
  };
  const repeat = async ({ each, left, act }: Act): Promise<void> => {
    for (let next = each; goOn() && left() > 0; next = Math.max(next + each, seconds())) {
      await delay(Math.max(0, next - seconds()) * 1000);
      if (left() > 0) await act();
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, client), ...acts.map(repeat)]);
  return { ...done, kills: deployment.kills, cuts: cutter.cuts, seconds: seconds() };
}

interface Act {
  /** Seconds from one to the next. */
  each: number;
  left(): number;
  act(): Promise<void> | void;
}

/** Replaces every replica while requests continue, after the faults are over. */
export async function rollUnderLoad(scene: Scene, { deployment }: FaultStand): Promise<Roll> {
  let rolling = true;
  const client = async (): Promise<void> => {
    while (rolling) await sendOne(scene);
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await calm(scene);
  const [beganAt, answered] = [Date.now(), scene.answered.length];
  await deployment.roll();
  rolling = false;
  await Promise.all(clients);
  return {
    seconds: (Date.now() - beganAt) / 1000,
    answered: scene.answered.length - answered,
    failed: scene.unansweredAt.filter((sentAt) => sentAt >= beganAt).length,
  };
}

/** Resolves when so many requests were answered since one was not. */
async function calm(scene: Scene): Promise<void> {
  let [failures, from] = [scene.unanswered.length, scene.answered.length];
  while (scene.answered.length - from < CALM) {
    await delay(10);
    if (scene.unanswered.length > failures) {
      [failures, from] = [scene.unanswered.length, scene.answered.length];
    }
  }
}
