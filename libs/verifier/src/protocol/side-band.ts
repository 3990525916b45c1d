import { setImmediate as turn } from 'node:timers/promises';
import type { Budget } from '../budget';
import type { DecodedPack } from '../pack/decoded-pack';
import { PackDecoder } from '../pack/pack-decoder';
import { ServerRefusal, unreadable } from '../remote-failure';
import type { Packet } from './pkt-line';

const PACK_DATA = 1;
const PROGRESS = 2;

/**
 * Decodes the pack of a multiplexed answer (side-band-64k) as it arrives. Progress is dropped, but counts as received
 * bytes.
 * @throws RemoteFailure remote_unreadable also if the server reports an error, or the answer ends before its flush
 */
export async function readSideBand(
  packets: AsyncGenerator<Packet, void, undefined>,
  budget: Budget,
): Promise<DecodedPack> {
  const pack = new PackDecoder(budget);
  for (;;) {
    const { value: packet, done } = await packets.next();
    if (done) throw unreadable('pack cut');
    if (packet === 'flush') return pack.end();
    if (typeof packet === 'string') throw unreadable('unexpected marker in a pack');
    if (packet[0] === PACK_DATA) {
      pack.append(packet.subarray(1));
      // Answers to other requests are read in between: the next packets are usually here already.
      await turn();
    } else if (packet[0] !== PROGRESS) {
      throw new ServerRefusal();
    }
  }
}
