import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { unreadable } from '../remote-failure';

/**
 * The commits from `wants` down to `haves`, which we do not own: naming them is enough for the server to stop there.
 * A server that sees no path between them sends nothing at first. It may be wrong, because it judges by commit dates;
 * so if it knows the haves, it is told to send all the same.
 *
 * @returns undefined when the server knows none of the haves
 * @throws RemoteFailure
 */
export async function fetchHistory(
  remote: RemoteRepository,
  range: { wants: readonly string[]; haves: readonly string[] },
): Promise<DecodedPack | undefined> {
  const answer = await remote.fetch({ ...range, done: false });
  if (answer.pack !== undefined) return answer.pack;
  if (!answer.acknowledged) return undefined;
  return fetchHistoryAtOnce(remote, range);
}

/** The same without asking first. An unknown have brings the whole history of the wants, under the caps. */
export async function fetchHistoryAtOnce(
  remote: RemoteRepository,
  range: { wants: readonly string[]; haves: readonly string[]; complete?: boolean },
): Promise<DecodedPack> {
  const { pack } = await remote.fetch({ ...range, done: true });
  if (pack === undefined) throw unreadable('no pack although asked for it');
  return pack;
}
