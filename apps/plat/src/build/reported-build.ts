import type { Environment } from '../environment';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { build, type BuildTools, type Built } from './build';
import type { BuildPlan } from './build-plan';
import type { BuildResult } from './build-view';
import { type BuildReported, reportBuild } from './environment-report';

/** Codes of failures that the project itself causes: its build or its tests. */
const OUTCOMES = ['BUILD_FAILED', 'TEST_STAGE_REPLAYED'];

export interface ReportedBuild {
  plan: BuildPlan;
  tools: BuildTools;
  environment: Environment;
  /** Resolves the alias; undefined: nothing is reported. */
  platform?(): Promise<Platform>;
  /** Called with the reason if nothing was reported. */
  trace?(line: string): void;
}

/**
 * Builds and reports the outcome to the platform. The report does not change the outcome.
 *
 * @throws the build's failure; `details.version` and `details.report` describe the attempt
 */
export async function buildAndReport({ plan, tools, ...more }: ReportedBuild): Promise<BuildResult> {
  const { version, project } = plan;
  const report = async (failureDetail?: string): Promise<{ report?: BuildReported }> => {
    const { environment, platform, trace } = more;
    if (!platform) return {};
    const outcome = { version, commitId: project.commitId, failureDetail };
    const answer = await reportBuild({ environment, outcome, platform });
    if (!answer.reported) trace?.(`The build is not reported: ${answer.reason}`);
    return { report: answer };
  };
  let built: Built;
  try {
    built = await build(plan, tools);
  } catch (error) {
    if (!isOutcome(error)) throw error;
    const { code, message, details, next, brief } = error;
    const answer = await report(message);
    throw new Failure(code, message, { details: { ...details, version, ...answer }, next, brief });
  }
  return { ...built, ...(await report()) };
}

/** Whether the failure is the project's own: its build or its tests. */
export function isOutcome(error: unknown): error is Failure {
  return error instanceof Failure && OUTCOMES.includes(error.code);
}
