import { build } from '../build/build';
import { type BuildPlan, planBuild } from '../build/build-plan';
import { chooseBuilder } from '../build/builder-choice';
import { BuilderFailed } from '../build/run-builder';
import { commitOf, currentBranch } from '../checkout/checkout';
import { checkOut, checkOutBranch } from '../checkout/place';
import { type BuildVariables, readBuildVariables } from '../config/build-variables';
import type { Environment } from '../environment';
import type { FailureCode } from '../error-codes/failure-code';
import { PROJECT_FILE, readConfiguredGate } from '../gate/configured-gate';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { commandGate } from './command-gate';
import type { Gate, GateOutcome, GateRun } from './gate';

/**
 * The gate of the drive order: the command that the target's own file names, otherwise `plat build --gate` without
 * publishing. Spec: Client, Gate drive rules, rules 4 and 6; API, Build, GATE.
 *
 * @param passed names of the variables with secrets that it gets
 */
export function buildGate(environment: Environment, passed: readonly string[] = []): Gate {
  const variables = readBuildVariables(environment);
  return {
    async plan(git, targetBranch) {
      const target = await commitOf(git, `refs/remotes/${ORIGIN}/${targetBranch}`);
      const command = target && (await readConfiguredGate(git, target));
      return command ?? 'plat build --gate --no-push --no-report';
    },
    async run(run) {
      const command = await readConfiguredGate(run.git, run.targetCommit).catch(targetFileFails);
      const around = { environment, variables, passed };
      if (command === undefined) return runBuild(around, run);
      const without = await findLostGate(around, run);
      return without ?? commandGate(command, { passed, source: CONFIGURED }).run(run);
    },
  };
}

const CONFIGURED = nextStep('the command in the block gate of', [PROJECT_FILE], 'on the target branch');

interface Surroundings {
  environment: Environment;
  variables: BuildVariables;
  passed: readonly string[];
}

/** @throws Failure NO_BUILDER, and the failure of a target that cannot be built */
async function runBuild(around: Surroundings, run: GateRun): Promise<GateOutcome> {
  const plan = await planMerge(around, run);
  if ('successful' in plan) return plan;
  const { interrupted, output, beginning } = run;
  try {
    const { tested } = await build(plan, {
      workbench: { folder: plan.project.folder, passed: around.passed, interrupted, output, beginning },
      builder: chooseBuilder,
      token: () => Promise.reject(new Error('a gate pushes nothing')),
      dockerFolder: around.variables.dockerFolder,
    });
    return { successful: true, tested };
  } catch (error) {
    // plat build --gate exits with 1 for a replay as well, which the merge's own build script can cause.
    if (error instanceof Failure && error.code === 'TEST_STAGE_REPLAYED') {
      return { successful: false, detail: error.message };
    }
    if (!(error instanceof BuilderFailed)) throw error;
    // A builder that has become unusable failed by itself, not because of the merge.
    if (plan.recipe.kind === 'images') await chooseBuilder();
    return { successful: false, detail: error.message };
  }
}

/** A merge that takes the command out of the project's file must be one that can be built, so that the next one is gated. */
async function findLostGate(around: Surroundings, run: GateRun): Promise<GateOutcome | undefined> {
  if ((await readConfiguredGate(run.git, 'HEAD')) !== undefined) return undefined;
  try {
    await planGate(around, run);
    return undefined;
  } catch (error) {
    run.interrupted.throwIfAborted();
    const detail = `The merge takes the command of the gate out of ${PROJECT_FILE}, and cannot be built either: ${messageOf(error)}`;
    return { successful: false, detail };
  }
}

/** A merge that cannot be planned, whatever the error is, fails the review if the target can be planned. */
async function planMerge(around: Surroundings, run: GateRun): Promise<BuildPlan | GateOutcome> {
  try {
    return await planGate(around, run);
  } catch (error) {
    run.interrupted.throwIfAborted();
    await onTarget(run, () => planGate(around, run).catch(targetFails));
    return { successful: false, detail: `The merge cannot be planned: ${messageOf(error)}` };
  }
}

/** The target's own file is at fault. A drive with a command of its own does not need it, and lands the correction. */
function targetFileFails(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  const { code, message, details } = error;
  throw new Failure(code, message, {
    details,
    next: nextStep(
      'correct',
      [PROJECT_FILE],
      'on the target branch, or land a review that corrects it with --gate-command <command>; then repeat the command',
    ),
  });
}

/** The review is not at fault. After the target is repaired, the merge is made again. */
function targetFails(error: unknown): never {
  const {
    code,
    details = {},
    next,
  } = error instanceof Failure ? error : { code: 'TARGET_UNREADABLE' as const, next: undefined };
  const message = `${messageOf(error)} The target branch cannot be built either, so the review is not at fault.`;
  throw new Failure(code, message, {
    details,
    next: wayOn({ code, next }),
  });
}

/** A project without anything to build needs no repair: it needs a command that tests it. */
function wayOn({ code, next }: { code: FailureCode; next?: NextStep | undefined }): NextStep {
  if (code === 'NOTHING_TO_BUILD' && next !== undefined) return next;
  return nextStep('mend the target branch on origin and repeat the command');
}

/** The message as a sentence. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function planGate({ environment, variables }: Surroundings, { git }: GateRun): Promise<BuildPlan> {
  return planBuild({
    folder: git.folder,
    git,
    environment,
    variables,
    gate: true,
    release: false,
    platforms: [],
    tags: [],
    publish: 'nothing',
    now: new Date(),
  });
}

async function onTarget<T>({ git, checkOutTarget }: GateRun, work: () => Promise<T>): Promise<T> {
  const [branch, commit = ''] = [await currentBranch(git), await commitOf(git, 'HEAD')];
  await checkOutTarget();
  try {
    return await work();
  } finally {
    await (branch === undefined ? checkOut(git, commit) : checkOutBranch(git, branch));
  }
}
