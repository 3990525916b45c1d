import type { Environment } from '../environment';
import type { Platform } from '../session/platform';
import { Failure } from '../terminal/failure';
import { build, type BuildTools, type Built } from './build';
import type { BuildPlan } from './build-plan';
import type { BuildResult } from './build-view';
import { type BuildReported, reportBuild } from './environment-report';
import { BuilderFailed } from './run-builder';

/** What an outcome of the project itself fails with; anything else tells nothing about what was built. */
const OUTCOMES = ['TEST_STAGE_REPLAYED'];

export interface ReportedBuild {
  plan: BuildPlan;
  tools: BuildTools;
  environment: Environment;
  /** Resolves the alias; undefined: nothing is reported. */
  platform?(): Promise<Platform>;
  /** Told why nothing was reported. */
  trace?(line: string): void;
}

/**
 * Builds and tells the platform how that ended, which changes nothing about it.
 *
 * @throws what the build fails with; `details.version` and `details.report` tell what was tried
 */
export async function reportedBuild({ plan, tools, ...more }: ReportedBuild): Promise<BuildResult> {
  const { version, project } = plan;
  const report = async (failureDetail?: string): Promise<{ report?: BuildReported }> => {
    const { environment, platform, trace } = more;
    if (!platform) return {};
    const outcome = { version, commitId: project.commitId, failureDetail };
    const told = await reportBuild({ environment, outcome, platform });
    if (!told.reported) trace?.(`The build is not reported: ${told.reason}`);
    return { report: told };
  };
  let built: Built;
  try {
    built = await build(plan, tools);
  } catch (error) {
    if (!isOutcome(error)) throw error;
    const { code, message, details, next, brief } = error;
    const told = await report(message);
    throw new Failure(code, message, { details: { ...details, version, ...told }, next, brief });
  }
  return { ...built, ...(await report()) };
}

/** Whether the failure is the project's own: its build or its tests. */
function isOutcome(error: unknown): error is Failure {
  return error instanceof BuilderFailed || (error instanceof Failure && OUTCOMES.includes(error.code));
}
