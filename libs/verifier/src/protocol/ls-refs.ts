import type { Budget } from '../budget';
import { isObjectId } from '../pack/object-id';
import { tooLarge, unreadable } from '../remote-failure';
import { DELIMITER, encodeLine, FLUSH, readPackets } from './pkt-line';

/** Writes the command `ls-refs` of protocol v2 (gitprotocol-v2). */
export function writeTipsRequest(branches: readonly string[]): Buffer[] {
  return [
    encodeLine('command=ls-refs\n'),
    encodeLine('agent=plat-verifier\n'),
    encodeLine('object-format=sha1\n'),
    DELIMITER,
    ...branches.map((name) => encodeLine(`ref-prefix ${name}\n`)),
    FLUSH,
  ];
}

/**
 * Reads the requested tips. Prefixes match longer names too (`refs/heads/main` also matches `refs/heads/main-2`), so
 * other names are dropped. Servers answer in order of names, so reading ends once every branch is found.
 */
export async function readTips(
  answer: AsyncIterable<Uint8Array>,
  branches: readonly string[],
  budget: Budget,
): Promise<Map<string, string>> {
  const wanted = new Set(branches);
  const tips = new Map<string, string>();
  let bytes = 0;
  for await (const packet of readPackets(answer, budget)) {
    if (packet === 'flush') return tips;
    if (typeof packet === 'string') throw unreadable('unexpected marker in a list of refs');
    bytes += packet.length;
    if (bytes > budget.caps.refsBytes) throw tooLarge('too many refs');
    const [id = '', name = ''] = packet.toString('utf8').replace(/\n$/, '').split(' ');
    if (wanted.has(name)) {
      if (!isObjectId(id)) throw unreadable('ref without an object id');
      tips.set(name, id);
      if (tips.size === wanted.size) return tips;
    }
  }
  throw unreadable('list of refs cut');
}
