import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@plat/testing';
import { type DriveStand, type PlatRun, waitForExit } from '../drive-stand';
import { GATE, type Place, type RoundWorld } from './round-world';

const COMMIT = 'git -c user.name=P -c user.email=p@x commit -q --allow-empty -m Mine';
/** Gates of which some pass and leave what was not gated, so that their reviews must fail. */
const GATES = [
  GATE,
  GATE,
  GATE,
  `sleep 0.3; ${GATE}`,
  `${COMMIT}; ${GATE}`,
  `echo x >> README.md; ${GATE}`,
  `git update-index --assume-unchanged README.md; echo x >> README.md; ${GATE}`,
  `echo "gitdir: /elsewhere" > .git; ${GATE}`,
];

/** A client of a round, and how it ended. */
export interface Started {
  place: Place;
  args: string[];
  /** The signal that the round sent it while it ran. */
  signal?: 'SIGKILL' | 'SIGINT';
  run: Promise<PlatRun>;
}

export interface Round {
  stand: DriveStand;
  world: RoundWorld;
  random: Random;
  started: Started[];
}

/** Starts one to three drives at once, and disturbs them until they have ended. */
export async function disturbDrives(round: Round): Promise<void> {
  const { world, random } = round;
  const places = world.places.filter(() => random.chance(0.6));
  for (const place of places.length === 0 ? [random.pick(world.places)] : places) {
    const gate = world.gatePlace === 'flag' ? ['--gate-command', random.pick(GATES)] : [];
    start(round, place, ['drive', '--target-branch', 'main', ...gate]);
  }
  const drives = Promise.all(round.started.map(({ run }) => run));
  let isOver = false;
  void drives.then(() => (isOver = true));
  for (let count = 1 + Math.floor(random.next() * 3); count > 0 && !isOver; count -= 1) {
    await Promise.race([drives, delay(random.next() * 1500)]);
    await random.pick(DISTURBANCES)(round);
  }
  await Promise.all(round.started.map(({ run }) => run));
}

function start({ started }: Pick<Round, 'started'>, place: Place, args: string[]): ChildProcess {
  const child = place.checkout.start(args, place.machine);
  started.push({ place, args, run: waitForExit(child) });
  children.set(started.at(-1)!, child);
  return child;
}

const children = new WeakMap<Started, ChildProcess>();

type Disturbance = (round: Round) => Promise<void> | void;

const DISTURBANCES: readonly Disturbance[] = [
  ({ world }) => world.moveTarget(),
  ({ world, random }) => world.moveSource(random),
  ({ world, random }) => world.deleteSource(random),
  ({ world, random }) => world.changeSettings(random),
  ({ world }) => world.declineNextPush(),
  ({ stand, random }) => stand.proxy.answerPages(1 + Math.floor(random.next() * 3)),
  // The service has acted, and its answer is lost.
  ({ stand }) => stand.proxy.insteadOfAnswer(/^(?:POST|PATCH) /, () => undefined),
  (round) => signal(round, 'SIGKILL'),
  (round) => signal(round, 'SIGINT'),
  (round) => {
    const { world, random } = round;
    const source = random.pick(world.sources());
    start(round, random.pick(world.places), [
      'exec',
      'gate-merge',
      '--source',
      source,
      '--target-branch',
      'main',
    ]);
  },
  (round) =>
    void start(round, round.random.pick(round.world.places), ['exec', 'push', '--target-branch', 'main']),
];

async function signal({ started, random }: Round, name: 'SIGKILL' | 'SIGINT'): Promise<void> {
  const running = started.filter((one) => {
    const child = children.get(one);
    return child?.exitCode === null && child.signalCode === null;
  });
  if (running.length === 0) return;
  const one = random.pick(running);
  const child = children.get(one)!;
  if (one.signal !== 'SIGKILL') one.signal = name;
  const gone = once(child, 'exit');
  child.kill(name);
  await gone;
}
