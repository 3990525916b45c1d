import type { Budget } from '../budget';
import { ServerRefusal, unreadable } from '../remote-failure';
import type { FetchAnswer, FetchRequest } from './fetch-exchange';
import { encodeLine, FLUSH, readPackets } from './pkt-line';
import { readSideBand } from './side-band';

/**
 * Writes a fetch for a server that knows protocol v0 only (gitprotocol-pack). v0 cannot make a pack depend on known
 * haves: for an unknown one the server sends the whole history, which the byte cap limits.
 */
export function writeLegacyRequest(request: FetchRequest, capabilities: ReadonlySet<string>): Buffer[] {
  if (!capabilities.has('side-band-64k')) throw unreadable('server without side-band-64k');
  const asked = ['side-band-64k', 'ofs-delta', 'no-progress', 'filter'].filter((name) =>
    capabilities.has(name),
  );
  const wants = request.wants.map((id, index) =>
    encodeLine(index === 0 ? `want ${id} ${asked.join(' ')} agent=plat-verifier\n` : `want ${id}\n`),
  );
  return [
    ...wants,
    ...(capabilities.has('filter') && !request.complete ? [encodeLine('filter tree:0\n')] : []),
    FLUSH,
    ...request.haves.map((id) => encodeLine(`have ${id}\n`)),
    encodeLine('done\n'),
  ];
}

/** @throws RemoteFailure */
export async function readLegacyAnswer(
  answer: AsyncIterable<Uint8Array>,
  budget: Budget,
): Promise<FetchAnswer> {
  const packets = readPackets(answer, budget);
  try {
    const { value: packet, done } = await packets.next();
    if (done || typeof packet === 'string') throw unreadable('answer cut');
    const line = packet.toString('latin1');
    const acknowledged = line.startsWith('ACK ');
    if (!acknowledged && !line.startsWith('NAK')) throw new ServerRefusal();
    return { acknowledged, pack: await readSideBand(packets, budget) };
  } finally {
    await packets.return();
  }
}
