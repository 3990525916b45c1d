import { unlessAborted } from '@plat/api-client';
import type { BuildVariables } from '../config/build-variables';
import type { Environment } from '../environment';
import { runGateByHand } from '../gate/gate-by-hand';
import { type GateTime, runWithin } from '../gate/gate-time';
import { gitIn } from '../git/git';
import { interruptedPlatform, type Platform } from '../platform/platform';
import type { BuildPlan } from './build-plan';
import type { BuildResult } from './build-view';
import { builderByPrograms, chooseBuilder } from './builder-choice';
import { describePlan } from './planned-build';
import { registryToken } from './registry-token';
import { buildAndReport, isOutcome } from './reported-build';
import type { Workbench } from './run-builder';

export interface StartedBuild extends Pick<Workbench, 'passed' | 'interrupted' | 'output' | 'beginning'> {
  plan: BuildPlan;
  /** The longest time of a gate; a build without `gate` has none. */
  gateTime: GateTime;
  environment: Environment;
  variables: BuildVariables;
  /** Whether the build script gets the token for the platform's registry. */
  signInScript?: boolean;
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
  const { passed, output, beginning, gateTime, signInScript } = started;
  const { configFolder } = environment;
  const toolsUntil = (ended: AbortSignal) => ({
    workbench: { folder: plan.project.folder, passed, interrupted: ended, output, beginning },
    builder: chooseBuilder,
    token: () => unlessAborted(registryToken({ configFolder, aliasName }), ended),
    dockerFolder: variables.dockerFolder,
    signInScript,
  });
  noteMissingSignIn(started);
  const { platform: opened } = started;
  const platform = opened && (async () => interruptedPlatform(await opened(), interrupted));
  const work = (ended: AbortSignal) =>
    buildAndReport({ plan, tools: toolsUntil(ended), environment, platform, trace });
  if (!plan.gate) return work(interrupted);
  const git = plan.project.commitId === undefined ? undefined : gitIn(plan.project.folder);
  const gate = () => runWithin(gateTime, interrupted, work);
  return runGateByHand({ git, gate, isVerdict: isOutcome, note });
}

/** Says why a push of the build script will be denied. */
function noteMissingSignIn({ plan: { recipe, registries }, signInScript, note }: StartedBuild): void {
  const platforms = registries.find(({ isPlatforms }) => isPlatforms);
  if (recipe.kind !== 'script' || platforms === undefined || signInScript) return;
  note(
    `build.sh gets no sign-in to ${platforms.registry}. If you trust it with your token: --sign-in-script`,
  );
}

/** The commands and calls, as `--dry-run` prints them. Rule G2. */
export async function planStart(plan: BuildPlan, platform?: () => Promise<Platform>): Promise<string[]> {
  const report = await platform?.().catch(() => undefined);
  return [
    ...(await describePlan(plan, builderByPrograms)),
    ...(report ? [report.plannedCall('createBuild')] : []),
  ];
}
