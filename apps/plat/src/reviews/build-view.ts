import type { Build } from '@plat/api-client';
import { printableLine } from '../terminal/printable';

/** What was recorded, in one line. */
export function buildLine({ buildId, kind, successful, commitId, version }: Build): string {
  const what = version === undefined ? commitId : `${commitId} as ${version}`;
  return printableLine(`${buildId} is recorded: ${kind} ${successful ? 'succeeded' : 'failed'} at ${what}`);
}
