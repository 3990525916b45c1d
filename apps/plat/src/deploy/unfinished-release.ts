import type { RuntimeNames } from '@plat/environments';
import type { Cluster } from '../cluster/cluster';
import type { ToolAnswer } from '../cluster/run-tool';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** Longest run of a helm of this client, and twice helm's own default; one that is older was killed. */
const RUN_SECONDS_MAX = 600;
/** The report of helm 3 and helm 4 while a release is being changed, or after the helm that changed it was killed. */
const IN_PROGRESS = /another operation \(install\/upgrade\/rollback\) is in progress/;

/** Whether helm has refused because the newest revision of the release is not finished. */
export function isInProgress({ stderr }: ToolAnswer): boolean {
  return IN_PROGRESS.test(stderr);
}

/**
 * Removes the unfinished newest revision of a release if the helm that began it was killed: no helm of this client runs
 * for that long. The changes that this helm has applied stay, and the next upgrade continues from there.
 *
 * @throws Failure DEPLOY_IN_PROGRESS if it may still run
 */
export async function removeDeadRevision(
  { helm, kubectl }: Cluster,
  { release, namespace }: RuntimeNames,
): Promise<void> {
  const status = await helm.run(['status', release, '--namespace', namespace, '--output', 'json']);
  const { version, info } = JSON.parse(status) as { version: number; info: { last_deployed: string } };
  const since = Date.parse(info.last_deployed);
  const until = since + RUN_SECONDS_MAX * 1000;
  // A time that cannot be read proves nothing.
  if (Number.isNaN(since) || until > Date.now()) {
    throw new Failure(
      'DEPLOY_IN_PROGRESS',
      `Release ${release} in ${namespace} is being changed by another helm.`,
      {
        details: { namespace, release, since: info.last_deployed },
        next: Number.isNaN(since)
          ? 'repeat the command when that is done'
          : nextStep('repeat the command when that is done, at the latest after', [
              new Date(until).toISOString(),
            ]),
      },
    );
  }
  await kubectl.run(['delete', 'secret', `sh.helm.release.v1.${release}.v${version}`]);
}
