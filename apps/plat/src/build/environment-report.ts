import { type ApiClient, createBuild, listEnvironments } from '@plat/api-client';
import { namespaceOf } from '@plat/environments';
import { cutDetail } from '../build-reports/failure-detail';
import { ownEnvironment } from '../config/environment-folder';
import type { Environment } from '../environment';
import { apiFailure } from '../failures/api-failure';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { maskTokens } from '../terminal/mask-tokens';

/** The outcome of a build. */
export interface BuildOutcome {
  version: string;
  /** Undefined outside a checkout. */
  commitId?: string;
  /** Absent if the build succeeded. */
  failureDetail?: string;
}

/** Whether the platform has a record of the build. */
export type BuildReported = { reported: true; buildId: string } | { reported: false; reason: string };

export interface ReportInput {
  environment: Environment;
  outcome: BuildOutcome;
  /** Resolves the alias. */
  platform(): Promise<Platform>;
}

/**
 * Reports a build of this environment to the platform. It never fails: the result gives the reason if it cannot report.
 * Spec: Client, Errors, build report cannot complete; Rule G1.
 */
export async function reportBuild({ environment, outcome, platform }: ReportInput): Promise<BuildReported> {
  try {
    const { version, commitId, failureDetail } = outcome;
    if (commitId === undefined) return unreported('the build is not of a commit of a checkout');
    const own = ownEnvironment(environment);
    if (own === undefined) return unreported('this runs in no environment');
    const { api } = await platform();
    const environmentId = await idOf(api, namespaceOf(own));
    if (environmentId === undefined) {
      return unreported(`the environment ${own.environment} is not registered`);
    }
    const successful = failureDetail === undefined;
    const body = {
      environmentId,
      commitId,
      successful,
      version,
      failureDetail: successful ? undefined : cutDetail(maskTokens(failureDetail)),
    };
    return { reported: true, buildId: (await createBuild(api, { body })).buildId };
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    return unreported(failure?.message ?? (error instanceof Error ? error.message : String(error)));
  }
}

async function idOf(api: ApiClient, namespace: string): Promise<string | undefined> {
  return (await listEnvironments(api)).find((one) => one.namespace === namespace)?.environmentId;
}

function unreported(reason: string): BuildReported {
  return { reported: false, reason };
}
