import type { Budget } from '../budget';
import { ServerRefusal, tooLarge, unreadable } from '../remote-failure';
import type { Capabilities, FetchAnswer, FetchRequest } from './fetch-exchange';
import { DELIMITER, encodeLine, FLUSH, type Packet, readPackets } from './pkt-line';
import { readSideBand } from './side-band';

/**
 * Writes the command `fetch` of protocol v2 (gitprotocol-v2). With `tree:0` the server sends only commits and what is
 * wanted by id, with `tree:1` also the root directories of these commits.
 */
export function writeFetchRequest(request: FetchRequest, capabilities: Capabilities): Buffer[] {
  const generations = request.single ? 1 : request.generations;
  return [
    encodeLine('command=fetch\n'),
    encodeLine('agent=plat-verifier\n'),
    encodeLine('object-format=sha1\n'),
    DELIMITER,
    encodeLine('no-progress\n'),
    encodeLine('ofs-delta\n'),
    ...(capabilities.filter && !request.complete
      ? [encodeLine(`filter tree:${request.single ? 1 : 0}\n`)]
      : []),
    ...(generations === undefined ? [] : [encodeLine(`deepen ${generations}\n`)]),
    ...request.wants.map((id) => encodeLine(`want ${id}\n`)),
    ...request.haves.map((id) => encodeLine(`have ${id}\n`)),
    ...(request.done ? [encodeLine('done\n')] : []),
    FLUSH,
  ];
}

/** Reads the answer. Its part before the pack counts towards the cap on refs. @throws RemoteFailure */
export async function readFetchAnswer(
  answer: AsyncIterable<Uint8Array>,
  budget: Budget,
): Promise<FetchAnswer> {
  const packets = readPackets(answer, budget);
  const lines = new Lines(packets, budget.caps.refsBytes);
  let acknowledged = false;
  try {
    for (;;) {
      const section = await lines.next();
      if (section.text === 'packfile') return { acknowledged, pack: await readSideBand(packets, budget) };
      // Sent after `deepen`, or by a server with a shallow history, whose missing commits are then not reached.
      if (section.text !== 'acknowledgments' && section.text !== 'shallow-info') {
        throw unreadable('unexpected section');
      }
      for (;;) {
        const line = await lines.next();
        if (line.marker === 'flush') return { acknowledged };
        if (line.marker !== undefined) break;
        if (line.text.startsWith('ACK ')) acknowledged = true;
      }
    }
  } finally {
    await packets.return();
  }
}

type Line = { text: string; marker?: undefined } | { text?: undefined; marker: Exclude<Packet, Buffer> };

class Lines {
  private bytes = 0;

  constructor(
    private readonly packets: AsyncGenerator<Packet, void, undefined>,
    private readonly bytesMax: number,
  ) {}

  async next(): Promise<Line> {
    const { value: packet, done } = await this.packets.next();
    if (done) throw unreadable('answer cut');
    if (typeof packet === 'string') return { marker: packet };
    this.bytes += packet.length;
    if (this.bytes > this.bytesMax) throw tooLarge('too many lines before the pack');
    const text = packet.toString('latin1').replace(/\n$/, '');
    if (text.startsWith('ERR ')) throw new ServerRefusal();
    return { text };
  }
}
