import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UploadPackServer } from '../histories/upload-pack-server';
import { packOf } from './pack-writer';
import { readObjects, type StoredObject } from './stored-objects';

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement';
/** Most bytes of data in a packet, without its band. */
const BAND_BYTES = 65_515;

/**
 * Serves a repository over http (protocol v2) from this process's memory. git starts a process for every pack, which
 * takes ten times as long as a verdict. The verifier hashes the received objects in any case.
 *
 * @param refs commits by the full names of the refs
 */
export async function serveFromMemory(
  directory: string,
  refs: Readonly<Record<string, string>>,
): Promise<UploadPackServer> {
  const uploadPack = new UploadPack(await readObjects(directory), refs);
  const server = createServer((request, response) => {
    response.setHeader('content-type', ADVERTISEMENT);
    if (request.method === 'GET') return void response.end(CAPABILITIES);
    void linesOf(request).then((lines) => response.end(uploadPack.answer(lines)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const FLUSH = Buffer.from('0000');
const DELIMITER = Buffer.from('0001');

function packet(payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

const lines = (...texts: string[]): Buffer[] => texts.map((text) => packet(`${text}\n`));

const CAPABILITIES = Buffer.concat([
  ...lines('version 2', 'ls-refs', 'fetch=shallow filter', 'object-format=sha1'),
  FLUSH,
]);

interface Fetch {
  wants: string[];
  haves: string[];
  /** Levels of directories to send with a commit; undefined for all. */
  depth: number | undefined;
  /** Generations of commits to send, the wanted ones first; undefined for all. */
  generations: number | undefined;
  done: boolean;
}

/** Answers this verifier's requests as `git upload-pack` does (gitprotocol-v2). */
class UploadPack {
  constructor(
    private readonly objects: ReadonlyMap<string, StoredObject>,
    private readonly refs: Readonly<Record<string, string>>,
  ) {}

  answer(asked: readonly string[]): Buffer {
    if (asked[0] === 'command=ls-refs') return Buffer.concat([...this.listRefs(asked), FLUSH]);
    const fetch = readFetch(asked);
    const missing = fetch.wants.find((id) => !this.objects.has(id));
    if (missing !== undefined) return packet(`ERR upload-pack: not our ref ${missing}\n`);
    return Buffer.concat([...this.fetch(fetch), FLUSH]);
  }

  private listRefs(asked: readonly string[]): Buffer[] {
    const prefixes = asked.flatMap((line) => line.match(/^ref-prefix (.*)$/)?.[1] ?? []);
    const found = Object.keys(this.refs).filter((name) => prefixes.some((each) => name.startsWith(each)));
    return lines(...found.sort().map((name) => `${this.refs[name]} ${name}`));
  }

  private fetch(fetch: Fetch): Buffer[] {
    const known = fetch.haves.filter((id) => this.objects.has(id));
    const sections: Buffer[] = [];
    if (!fetch.done) {
      const acknowledged = known.length > 0 ? known.map((id) => `ACK ${id}`) : ['NAK'];
      sections.push(...lines('acknowledgments', ...acknowledged));
      if (!this.isReady(fetch.wants, known)) return sections;
      sections.push(...lines('ready'), DELIMITER);
    }
    if (fetch.generations !== undefined) {
      const sent = this.historyOf(fetch.wants, fetch.generations);
      const cut = [...sent].filter((id) => this.parentsOf(id).some((parent) => !sent.has(parent)));
      sections.push(...lines('shallow-info', ...cut.map((id) => `shallow ${id}`)), DELIMITER);
    }
    const pack = packOf([...this.chosen(fetch, known)].map((id) => this.objects.get(id) as StoredObject));
    sections.push(...lines('packfile'));
    for (let at = 0; at < pack.length; at += BAND_BYTES) {
      sections.push(packet(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + BAND_BYTES)])));
    }
    return sections;
  }

  /** Whether each of the wants has one of the haves in its history. */
  private isReady(wants: readonly string[], haves: readonly string[]): boolean {
    return haves.length > 0 && wants.every((id) => haves.some((have) => this.historyOf([id]).has(have)));
  }

  private chosen({ wants, depth, generations }: Fetch, haves: readonly string[]): Set<string> {
    const had = this.historyOf(haves);
    const commits = wants.filter((id) => this.objects.get(id)?.type === 'commit');
    const sent = [...this.historyOf(commits, generations)].filter((id) => !had.has(id));
    const chosen = new Set([...wants, ...sent]);
    for (const id of wants) this.addBelow(id, { depth, chosen });
    for (const id of sent) this.addTree(this.objects.get(id)?.treeId, { depth, chosen });
    return chosen;
  }

  private addTree(id: string | undefined, to: { depth: number | undefined; chosen: Set<string> }): void {
    if (id === undefined || to.depth === 0) return;
    to.chosen.add(id);
    this.addBelow(id, { ...to, depth: to.depth && to.depth - 1 });
  }

  private addBelow(id: string, to: { depth: number | undefined; chosen: Set<string> }): void {
    for (const { id: below, mode } of this.objects.get(id)?.entries ?? []) {
      if (mode !== '160000') this.addTree(below, to);
    }
  }

  private parentsOf(id: string): readonly string[] {
    return this.objects.get(id)?.parentIds ?? [];
  }

  private historyOf(ids: readonly string[], generations = Infinity): Set<string> {
    const reached = new Set(ids);
    let newest = [...reached];
    for (let each = 1; each < generations && newest.length > 0; each += 1) {
      newest = [...new Set(newest.flatMap((id) => this.parentsOf(id)))].filter((id) => !reached.has(id));
      for (const id of newest) reached.add(id);
    }
    return reached;
  }
}

function readFetch(asked: readonly string[]): Fetch {
  const all = (word: string) =>
    asked.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
  const [filter] = all('filter');
  const [deepen] = all('deepen');
  return {
    wants: all('want'),
    haves: all('have'),
    depth: filter === undefined ? undefined : Number(filter.slice('tree:'.length)),
    generations: deepen === undefined ? undefined : Number(deepen),
    done: asked.includes('done'),
  };
}

/** The packets of a request as lines, without markers. */
async function linesOf(request: IncomingMessage): Promise<string[]> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const body = Buffer.concat(parts);
  const found: string[] = [];
  for (let at = 0; at + 4 <= body.length;) {
    const length = Math.max(4, parseInt(body.toString('latin1', at, at + 4), 16));
    if (length > 4) found.push(body.toString('utf8', at + 4, at + length).trimEnd());
    at += length;
  }
  return found;
}
