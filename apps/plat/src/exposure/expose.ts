import { type ExposurePlan, type ExposureResult, exposureResult } from '@plat/environments';
import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Progress } from '../terminal/progress';
import { plannedCalls, putRecord } from './hostname-record';
import type { PreparedExposure } from './prepare-exposure';
import { applyStep, changeRecord, stepLine } from './record';

/** A dry run of an exposure: its commands, then its names. */
export interface PlannedExposure extends ExposureResult {
  dryRun: true;
  /** The commands that would be run, in their order. */
  plan: string[];
  /** Why the record is written on this path. */
  dnsPathReason: string;
}

/** Returns the commands and names of an exposure; no secret is in them. Spec: Client, plat expose. */
export function plannedExposure({ plan, platform }: PreparedExposure): PlannedExposure {
  const { certificate, apply, ingress, targetIp } = plan;
  const record = platform ? plannedCalls(platform, 'putHostname') : [stepLine(plan.replaceRecord(targetIp))];
  const objects =
    certificate === undefined
      ? []
      : [
          `Secret ${certificate.secretName} with token`,
          JSON.stringify(certificate.issuer),
          JSON.stringify(certificate.certificate),
        ];
  const applied = [...objects, JSON.stringify(ingress)].map((stdin) => stepLine(apply, stdin));
  return {
    dryRun: true,
    plan: [...record, ...applied],
    ...exposureResult(plan),
    dnsPathReason: plan.dnsPathReason,
  };
}

/**
 * Writes the record, then applies the objects of the certificate, then the ingress. Each step can be repeated; an
 * exposure that failed is mended by the next. Spec: Client, plat expose, rules 1, 2 and 4.
 *
 * @throws Failure those of kubectl and of putRecord; after the record with `recordWritten` among its details
 */
export async function expose(
  prepared: PreparedExposure,
  { progress, interrupted }: { progress: Progress; interrupted: AbortSignal },
): Promise<ExposureResult> {
  const { plan, platform } = prepared;
  const { wildcardName, targetIp } = plan;
  const writing = platform
    ? putRecord(platform, plan, targetIp)
    : changeRecord(plan.replaceRecord(targetIp), interrupted);
  await progress(`Writing the record ${wildcardName}`, writing);
  try {
    await applyObjects(prepared, { progress, interrupted });
  } catch (error) {
    throw error instanceof Failure ? afterRecord(error, plan) : error;
  }
  return exposureResult(plan);
}

async function applyObjects(
  { plan, token }: PreparedExposure,
  { progress, interrupted }: { progress: Progress; interrupted: AbortSignal },
): Promise<void> {
  const { certificate, ingress } = plan;
  const apply = (input: object, secrets: readonly string[] = []) =>
    applyStep(plan.apply, { input: JSON.stringify(input), secrets, interrupted });
  if (certificate !== undefined) {
    if (token === undefined) throw new Error('the token was not read');
    await progress('Writing the secret of the DNS-01 token', apply(certificate.secret(token), [token]));
    await progress('Applying the issuer', apply(certificate.issuer));
    await progress('Applying the certificate', apply(certificate.certificate));
  }
  await progress('Applying the ingress', apply(ingress));
}

interface Shortage {
  code: FailureCode;
  message: string;
  next?: NextStep | undefined;
}

/** Returns the failure of a cluster that lacks something, by kubectl's report, with the step that brings it. */
function missing(failure: Failure, { tenant, environment, namespace }: ExposurePlan): Shortage {
  if (/namespaces "[^"]*" not found/.test(failure.message)) {
    return {
      code: 'NOT_DEPLOYED',
      message: `The cluster has no namespace ${namespace}.`,
      next: nextStep('plat deploy', [tenant], [environment]),
    };
  }
  if (/no matches for kind "(?:Issuer|Certificate)"/.test(failure.message)) {
    return {
      code: 'CERT_MANAGER_MISSING',
      message: 'The cluster has no cert-manager, which gives the environment its certificate.',
      next: nextStep('have cert-manager installed in the cluster, or leave TLS out with --no-tls'),
    };
  }
  return { code: failure.code, message: failure.message, next: failure.next };
}

/** The failure of a step after the record: it stays, and the next run changes nothing of it. */
function afterRecord(failure: Failure, plan: ExposurePlan): Failure {
  const { code, message, next } = missing(failure, plan);
  const said = `${message} The record ${plan.wildcardName} is written and stays; the same command completes the exposure.`;
  return new Failure(code, said, {
    details: { ...failure.details, recordWritten: plan.wildcardName },
    next: next === undefined ? 'repeat the command' : withRepeat(next),
    exitCode: failure.exitCode,
  });
}

const withRepeat = (next: NextStep): NextStep =>
  next.includes('repeat the command') ? next : nextStep(next, '; then repeat the command');
