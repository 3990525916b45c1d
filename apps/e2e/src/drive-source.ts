import { writeFile } from 'node:fs/promises';
import { execFileSync } from '@plat/testing';
import type { DriveStand, PlatRun } from './drive-stand';

/** The branch that changes while its merge is gated. */
export const SOURCE = 'feature/1-good';

/** A review as a drive reports it. */
export interface Driven {
  reviewId: string;
  outcome: string;
  detail?: string;
}

export const readReviews = ({ stdout }: PlatRun): Driven[] =>
  (JSON.parse(stdout) as { reviews: Driven[] }).reviews;

/** A repository with a queued review, and a checkout of the person who works on its source. */
export async function setUpSource(stand: DriveStand, name: string) {
  const checkout = await stand.repository(name, 'test ! -e FAIL');
  const reviewId = await checkout.propose(SOURCE, { 'part.txt': 'first\n' });
  const person = await stand.anotherCheckout(checkout, `${name}-person`);
  await person.git('switch', '--quiet', SOURCE);
  // Past the server of the repositories, which is in the process of the test.
  const bare = `${checkout.folder}.git`;
  const push = `cd '${person.folder}'; echo more >> part.txt; git commit -qam More; git push -q '${bare}' ${SOURCE}`;
  const counter = `${checkout.folder}.gates`;
  await writeFile(counter, '');
  return {
    checkout,
    reviewId,
    person,
    /** A gate that counts itself and runs a command at each of its first `times` runs. */
    gateWith: (command: string, { times = 1, after = 'true' } = {}) =>
      `echo x >> '${counter}'; test ! -e part.txt || test $(wc -l < '${counter}') -gt ${times} || { (${command}) || exit 9; ${after}; }`,
    push,
    pushMore: () => execFileSync('/bin/sh', ['-c', push]),
    remove: `git -C '${person.folder}' push -q '${bare}' :${SOURCE}`,
  };
}
