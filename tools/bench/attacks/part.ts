import { setTimeout as delay } from 'node:timers/promises';
import { onStand } from '../http/stand';
import { advance, getOwn, postBuild } from '../http/workloads';
import { positiveNumber, text, UsageError, type ValuesOf } from '../options';
import { partOf, progress } from '../part';
import { startAttacker } from './attacker-process';
import { type Attack, attacksOf } from './attacks';
import type { AttackTally } from './order';
import { type AttackOutcome, attacksTable } from './report';
import { type Scene, setScene } from './scene';
import { type Errand, runErrands, type Watched } from './victim';
import { Watch } from './watch';

const BUILT = ['apps/reviews', 'apps/builds', 'apps/audit', 'apps/platform'];
/** Each of the services has a pool of 4, two connections for reads by key, and one for the audit trail. */
const CONNECTIONS_MAX = BUILT.length * (4 + 2 + 1);
/** The time until an attack has its effect. */
const ONSET_MS = 1_000;
/** The time until the after-effects of an attack have ended. */
const REST_MS = 2_000;
const WARM_UP_SECONDS = 5;
const OPTIONS = {
  seconds: positiveNumber('length of a measured window', 1),
  rounds: positiveNumber('windows of each attack, and as many idle ones', 5),
  only: text('only the attacks whose name contains it'),
};
type Given = ValuesOf<typeof OPTIONS>;

/** Compares the requests of one tenant with and without an attack by another tenant or by someone without a token. */
export const attacksPart = partOf(
  'what attacks of one tenant, or of no tenant, cost another: latency, memory, connections, errors',
  OPTIONS,
  (given, signal) =>
    onStand(BUILT, async (stand) => {
      const scene = await setScene(stand);
      stand.keep(scene.close);
      await mount(scene, given, signal);
    }),
);

async function mount(scene: Scene, given: Given, signal: AbortSignal): Promise<void> {
  const { only = '' } = given;
  const attacks = attacksOf(scene).filter(({ name }) => name.includes(only));
  if (attacks.length === 0) throw new UsageError(`no attack's name contains "${only}"`);
  const errands = await errandsOf(scene);
  await runErrands(errands, WARM_UP_SECONDS);
  const outcomes: AttackOutcome[] = [];
  for (const attack of attacks) {
    signal.throwIfAborted();
    progress(`mounting: ${attack.name}`);
    outcomes.push(await measure({ scene, errands, attack }, given, signal));
  }
  const names = errands.map(({ name }) => name);
  process.stdout.write(`${given.rounds} windows of ${given.seconds} s, idle and under each attack\n\n`);
  process.stdout.write(attacksTable(names, outcomes, CONNECTIONS_MAX));
}

/** Returns the errands of the attacked tenant: it advances queues, reads reviews and reports builds. */
async function errandsOf({ stand, servers, tokens }: Scene): Promise<Errand[]> {
  const own = [await advance(stand.seed), await getOwn(stand.seed), await postBuild(stand.seed)];
  return own.map(({ name, service, next, restore }) => ({
    name,
    url: servers[service].url,
    token: tokens.mallory,
    next: () => next(0),
    restore,
  }));
}

interface Field {
  scene: Scene;
  errands: Errand[];
  attack: Attack;
}

/** Measures idle and attacked windows in turns, so that other load on the machine affects both alike. */
async function measure(field: Field, given: Given, signal: AbortSignal): Promise<AttackOutcome> {
  const idle: Watched[][] = [];
  const attacked: Watched[][] = [];
  const tallies: AttackTally[] = [];
  const calm = { memoryBytes: Infinity, connections: 0 };
  const peak = { memoryBytes: 0, connections: 0 };
  for (let round = 0; round < given.rounds; round++) {
    await delay(REST_MS, undefined, { signal });
    const quiet = await watchErrands(field, given.seconds);
    idle.push(quiet.windows);
    calm.memoryBytes = Math.min(calm.memoryBytes, quiet.peak.memoryBytes);
    const { tally, ...loud } = await underAttack(field, given.seconds);
    tallies.push(...tally);
    attacked.push(loud.windows);
    peak.memoryBytes = Math.max(peak.memoryBytes, loud.peak.memoryBytes);
    peak.connections = Math.max(peak.connections, loud.peak.connections);
  }
  return {
    name: field.attack.name,
    idle: joined(idle),
    attacked: joined(attacked),
    calm,
    peak,
    tally: summed(tallies),
  };
}

/** Measures a window under attack, and stops the attackers even if that fails. */
async function underAttack(field: Field, seconds: number) {
  const stops = await Promise.all(field.attack.orders.map(startAttacker));
  const window = delay(ONSET_MS).then(() => watchErrands(field, seconds));
  await window.catch(() => undefined);
  const tally = await Promise.all(stops.map((stop) => stop()));
  return { ...(await window), tally };
}

async function watchErrands({ scene, errands }: Field, seconds: number) {
  const pids = Object.values(scene.servers).map(({ pid }) => pid);
  const watch = await Watch.start(scene.stand.ownerUrl, pids);
  const windows = await runErrands(errands, seconds);
  return { windows, peak: await watch.stop() };
}

/** Joins the windows of each errand into one. */
function joined(rounds: Watched[][]): Watched[] {
  return rounds[0]!.map((_, errand) => ({
    latenciesMs: rounds.flatMap((round) => round[errand]!.latenciesMs),
    errors: addUp(rounds.map((round) => round[errand]!.errors)),
  }));
}

const summed = (tallies: AttackTally[]): AttackTally => ({
  answers: addUp(tallies.map(({ answers }) => answers)),
  cut: tallies.reduce((sum, { cut }) => sum + cut, 0),
});

function addUp(records: Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of records.flatMap(Object.entries) as [string, number][]) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
