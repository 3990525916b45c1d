import { unreadable } from '../remote-failure';
import { DELIMITER, FLUSH, encodeLine, readPackets, type Packet } from './pkt-line';
import type { Capabilities, FetchAnswer, FetchRequest } from './remote-repository';
import { readSideBand } from './side-band';

/** Protocol v2, command `fetch` (gitprotocol-v2). With `tree:0` nothing but commits and what is wanted by id is sent. */
export function writeFetchRequest(request: FetchRequest, capabilities: Capabilities): Buffer[] {
  return [
    encodeLine('command=fetch\n'),
    encodeLine('agent=plat-verifier\n'),
    encodeLine('object-format=sha1\n'),
    DELIMITER,
    encodeLine('no-progress\n'),
    encodeLine('ofs-delta\n'),
    ...(capabilities.filter && !request.complete ? [encodeLine('filter tree:0\n')] : []),
    ...(request.single ? [encodeLine('deepen 1\n')] : []),
    ...request.wants.map((id) => encodeLine(`want ${id}\n`)),
    ...request.haves.map((id) => encodeLine(`have ${id}\n`)),
    ...(request.done ? [encodeLine('done\n')] : []),
    FLUSH,
  ];
}

/** @throws RemoteFailure */
export async function readFetchAnswer(
  answer: AsyncIterable<Uint8Array>,
  packBytesMax: number,
): Promise<FetchAnswer> {
  const packets = readPackets(answer);
  let acknowledged = false;
  try {
    for (;;) {
      const section = await nextLine(packets);
      if (section === 'packfile') return { acknowledged, pack: await readSideBand(packets, packBytesMax) };
      // `shallow-info` after `deepen`, or of a server whose own history is cut: what is missing is then not reached.
      if (section !== 'acknowledgments' && section !== 'shallow-info') throw unreadable('unexpected section');
      for (;;) {
        const line = await nextLine(packets);
        if (line === 'flush') return { acknowledged };
        if (line === 'delimiter') break;
        if (line.startsWith('ACK ')) acknowledged = true;
      }
    }
  } finally {
    await packets.return();
  }
}

async function nextLine(packets: AsyncGenerator<Packet, void, undefined>): Promise<string> {
  const { value: packet, done } = await packets.next();
  if (done) throw unreadable('answer cut');
  if (typeof packet === 'string') return packet;
  const line = packet.toString('latin1').replace(/\n$/, '');
  if (line.startsWith('ERR ')) throw unreadable('server reported an error');
  return line;
}
