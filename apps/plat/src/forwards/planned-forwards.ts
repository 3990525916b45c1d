import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { listKeptForwards, pathsOf } from '@plat/forwards';
import { shellQuote } from '../terminal/shell-quote';
import { forwardStep } from './forward-step';
import type { ForwardsToOpen } from './open-forwards';
import { forwardArgv } from './start-forward';
import { type WantedForward, wantedForwards } from './wanted-forward';

/** Lists what `plat open` would do about the forwards, a line for each step. Changes nothing. Rules G2, G11. */
export async function planForwards({
  environment,
  program,
  cacheFolder,
  known,
}: Pick<ForwardsToOpen, 'environment' | 'program' | 'cacheFolder' | 'known'>): Promise<string[]> {
  const wanted = wantedForwards(environment);
  const steps = await Promise.all(wanted.map((one) => planStep(one, program)));
  return [
    ...wanted.flatMap((one) => plannedMoves(one, cacheFolder)),
    ...steps.flat(),
    ...(await planRemovals(environment.configFolder, known)),
  ];
}

async function planStep(wanted: WantedForward, program: string): Promise<string[]> {
  const about = `forward ${wanted.channel}: `;
  const start = `${about}${shellQuote(forwardArgv(program, wanted))}`;
  const step = await forwardStep(wanted);
  switch (step.step) {
    case 'reuse':
      return [`${about}reused, process ${step.process.pid}`];
    case 'adopt':
      return [`${about}process ${step.process.pid} is adopted`];
    case 'replace':
      return [`${about}process ${step.process.pid} is stopped: ${step.why}`, start];
    case 'refuse':
      return [`${about}fails: ${step.message}`];
    case 'start':
      return step.former === undefined
        ? [start]
        : [`${about}process ${step.former.pid} is stopped: the environment had another port`, start];
  }
}

/** Spec: Client, Versioning, rule 3. */
function plannedMoves({ channel, record, path }: WantedForward, cacheFolder: string): string[] {
  const old = join(cacheFolder, channel, record.tenant, `${record.environment}.json`);
  return existsSync(old) && !existsSync(path) ? [`forward ${channel}: ${old} is moved to ${path}`] : [];
}

/** Spec: Client, Log retention and cleanup, rules 4 and 5. */
async function planRemovals(
  configFolder: string,
  known: readonly EnvironmentName[] | undefined,
): Promise<string[]> {
  if (known === undefined) return [];
  const isKnown = ({ tenant, environment }: EnvironmentName) =>
    known.some((one) => one.tenant === tenant && one.environment === environment);
  const left = (await listKeptForwards(configFolder)).filter(({ name }) => !isKnown(name));
  const paths = left.flatMap(({ name, channel }) => pathsOf(configFolder, name, channel));
  return paths
    .filter((path) => existsSync(path))
    .map((path) =>
      path.endsWith('.json') ? `remove ${path}` : `remove ${path}, unless a process has it open`,
    );
}
