import { unlessAborted } from '@plat/api-client';
import type { BuildVariables } from '../config/build-variables';
import type { Environment } from '../environment';
import { gatedByHand } from '../gate/gate-by-hand';
import { type GateTime, runWithin } from '../gate/gate-time';
import { gitIn } from '../gate/git';
import { interruptedPlatform, type Platform } from '../session/platform';
import type { BuildPlan } from './build-plan';
import type { BuildResult } from './build-view';
import { builderByPrograms, chooseBuilder } from './builder-choice';
import { plannedBuild } from './planned-build';
import { registryToken } from './registry-token';
import { isOutcome, reportedBuild } from './reported-build';
import type { Workbench } from './run-builder';

export interface StartedBuild extends Pick<Workbench, 'passed' | 'interrupted' | 'output' | 'beginning'> {
  plan: BuildPlan;
  /** The longest time of a gate; a build without `gate` has none. */
  gateTime: GateTime;
  environment: Environment;
  variables: BuildVariables;
  /** The alias whose token the platform's registry gets; undefined: the only alias. */
  aliasName?: string;
  /** Resolves the alias to report to; undefined: nothing is reported. */
  platform?(): Promise<Platform>;
  /** Prints a line on stderr. */
  note(line: string): void;
  /** Called with the reason if nothing was reported. */
  trace?(line: string): void;
}

/** Builds with this machine's tools, and notes how a gate of a clean checkout ended. @throws the failures of `build` */
export async function startBuild(started: StartedBuild): Promise<BuildResult> {
  const { plan, environment, variables, aliasName, interrupted, note, trace } = started;
  const { passed, output, beginning, gateTime } = started;
  const { configFolder } = environment;
  const toolsUntil = (ended: AbortSignal) => ({
    workbench: { folder: plan.project.folder, passed, interrupted: ended, output, beginning },
    builder: chooseBuilder,
    token: () => unlessAborted(registryToken({ configFolder, aliasName }), ended),
    dockerFolder: variables.dockerFolder,
  });
  const { platform: opened } = started;
  const platform = opened && (async () => interruptedPlatform(await opened(), interrupted));
  const work = (ended: AbortSignal) =>
    reportedBuild({ plan, tools: toolsUntil(ended), environment, platform, trace });
  if (!plan.gate) return work(interrupted);
  const git = plan.project.commitId === undefined ? undefined : gitIn(plan.project.folder);
  const gate = () => runWithin(gateTime, interrupted, work);
  return gatedByHand({ git, gate, isVerdict: isOutcome, note });
}

/** The commands and calls, as `--dry-run` prints them. Decision G2. */
export async function plannedStart(plan: BuildPlan, platform?: () => Promise<Platform>): Promise<string[]> {
  const report = await platform?.().catch(() => undefined);
  return [
    ...(await plannedBuild(plan, builderByPrograms)),
    ...(report ? [report.plannedCall('createBuild')] : []),
  ];
}
