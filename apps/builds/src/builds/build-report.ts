import type { CreateReviewBuild } from '@plat/contracts/builds';
import { ApiError, invalidField, isBlank, newId } from '@plat/contracts/core';
import { judge, rules } from '@plat/contracts/fields';
import type { BuildReport } from './build.queries';

/**
 * Checks the fields of a build report that depend on its kind. A RECORDED build has a version, and a GATE build has
 * none. A failed GATE build has a failure detail. Only a successful GATE build may be vouched for. Spec: API, Builds,
 * rule 4.
 *
 * @throws INVALID_BODY, INVALID_VERSION
 */
export function readBuildReport({
  kind = 'RECORDED',
  version,
  failureDetail,
  vouched = false,
  ...body
}: CreateReviewBuild): BuildReport {
  const detail = failureDetail === undefined || isBlank(failureDetail) ? undefined : failureDetail;
  if (kind === 'GATE' && !body.successful && detail === undefined) {
    throw invalidField('failureDetail', 'failureDetail is required on a failed GATE build.');
  }
  if (vouched && (kind !== 'GATE' || !body.successful)) {
    throw invalidField('vouched', 'vouched is for a successful GATE build.');
  }
  return {
    ...body,
    buildId: newId(),
    kind,
    version: kind === 'RECORDED' ? readVersion(version) : undefined,
    failureDetail: detail,
    vouched: vouched ? true : undefined,
  };
}

function readVersion(version: unknown): string {
  const refusal = judge(rules.version, version);
  if (!refusal) return version as string;
  const message = `version ${refusal.message}.`;
  throw new ApiError(refusal.code ?? 'INVALID_BODY', { message, details: { field: 'version' } });
}
