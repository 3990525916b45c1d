import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { unreadable } from '../remote-failure';

/**
 * Fetches the commits from `wants` down to `haves`. This process does not have the haves; it names them so that the
 * server stops there. A server that sees no path between wants and haves sends nothing at first. It judges by commit
 * dates and may be wrong, so if it knows the haves, a second request makes it send anyway.
 *
 * @returns undefined if the server knows none of the haves
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

/**
 * Like `fetchHistory`, in one request. For an unknown have the server sends the whole history of the wants, under the
 * caps.
 */
export async function fetchHistoryAtOnce(
  remote: RemoteRepository,
  range: { wants: readonly string[]; haves: readonly string[]; complete?: boolean; generations?: number },
): Promise<DecodedPack> {
  const { pack } = await remote.fetch({ ...range, done: true });
  if (pack === undefined) throw unreadable('no pack although asked for it');
  return pack;
}
