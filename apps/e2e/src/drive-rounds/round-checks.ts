import type { PlatRun } from '../drive-stand';
import type { Started } from './disturbances';
import type { RoundBuild, RoundWorld } from './round-world';

/** The exit code of a drive that landed what was not reviewed. */
const DIVERGENT = 4;

interface Driven {
  reviews?: Array<{ reviewId: string; outcome: string; mergeCommit?: string; contentVerdict?: string }>;
  code?: string;
  exitCode?: number;
  merged?: Array<{ commitId: string; sourceBranch: string }>;
  mergeCommit?: string;
  targetCommit?: string;
}

/** The promises that a round broke, in words. */
export async function faultsOf(world: RoundWorld): Promise<string[]> {
  const reviews = await world.reviews();
  const builds = (await Promise.all(reviews.map(({ reviewId }) => world.builds(reviewId)))).flat();
  const gated = new Set(builds.filter(isGreenGate).map(({ commitId }) => commitId));
  const onTarget = world.landed();
  const ungated = onTarget.filter((commit) => !gated.has(commit) && !world.others.has(commit));
  const lost = reviews.filter(({ status, lastMergedBuildId }) => {
    const build = builds.find(({ buildId }) => buildId === lastMergedBuildId);
    return status === 'MERGED' && (!build || !onTarget.includes(build.commitId));
  });
  return [
    ...ungated.map((commit) => `${commit} is on the target, and nothing gated it`),
    ...lost.map(({ reviewId }) => `${reviewId} is MERGED, and its merge is not on the target`),
  ];
}

/** Lists the remains of a round after every drive has ended. */
export async function leftovers(world: RoundWorld): Promise<string[]> {
  const waiting = (await world.reviews()).filter(({ status }) => ['READY', 'MERGE'].includes(status));
  const dirty = await Promise.all(
    world.places.map(async ({ name, checkout: one }) =>
      (await one.git('status', '--porcelain')) === '' ? [] : [`the checkout ${name} is dirty`],
    ),
  );
  return [...waiting.map(({ reviewId, status }) => `${reviewId} is left at ${status}`), ...dirty.flat()];
}

/** The clients whose exit code or output does not say what happened, in words. */
export async function liesOf(world: RoundWorld, started: readonly Started[]): Promise<string[]> {
  const reviews = await world.reviews();
  const statusOf = (id: string) => reviews.find(({ reviewId }) => reviewId === id)?.status;
  const judged = started.map(async ({ run, signal, args }) => {
    const ran = await run;
    const fault = lieOf(ran, { signal, statusOf });
    return fault === undefined
      ? []
      : [`plat ${args.join(' ')}: ${fault} (${ran.stdout}${ran.stderr.slice(-300)})`];
  });
  return (await Promise.all(judged)).flat();
}

interface Truth extends Pick<Started, 'signal'> {
  statusOf(reviewId: string): string | undefined;
}

function lieOf({ code, stdout }: PlatRun, { signal, statusOf }: Truth): string | undefined {
  // SIGINT ends the client without an exit code if it does not listen for the signal yet, or no longer.
  if (code === null) return signal === undefined ? 'it was ended by a signal that no one sent' : undefined;
  const result = JSON.parse(stdout) as Driven;
  if (result.code !== undefined) {
    return code === result.exitCode && code !== 0 ? undefined : `it failed, and its exit code is ${code}`;
  }
  if (!result.reviews) return undefined;
  const unmerged = result.reviews.filter(({ outcome }) => !outcome.startsWith('MERGED'));
  const isDivergent = result.reviews.some(({ contentVerdict }) => contentVerdict === 'DIVERGENT');
  const right = isDivergent ? DIVERGENT : unmerged.length === 0 ? 0 : 1;
  if (code !== right) return `its exit code is ${code}, and not ${right}`;
  const false_ = result.reviews.find(
    ({ reviewId, outcome }) => outcome.startsWith('MERGED') && statusOf(reviewId) !== 'MERGED',
  );
  return false_ && `it says MERGED of ${false_.reviewId}, which is at ${statusOf(false_.reviewId)}`;
}

function isGreenGate({ kind, successful }: RoundBuild): boolean {
  return kind === 'GATE' && successful;
}
