import { GitRemoteHTTP } from 'isomorphic-git/managers';
import type { Budget } from '../budget';
import { isObjectId } from '../pack/object-id';
import { refused, RemoteFailure, unreadable } from '../remote-failure';
import type { GitHttp } from '../transport/git-http';
import type { Capabilities, FetchAnswer, FetchRequest } from './fetch-exchange';
import { readLegacyAnswer, writeLegacyRequest } from './fetch-legacy';
import { readFetchAnswer, writeFetchRequest } from './fetch-v2';
import { readTips, writeTipsRequest } from './ls-refs';

const SERVICE = 'git-upload-pack';
const DISCOVERY = `/info/refs?service=${SERVICE}`;

/** The first answer as isomorphic-git parses it: capabilities, and for servers of protocol v0 also all refs. */
type Discovered =
  | { protocolVersion: 2; capabilities2: Record<string, string | true> }
  | { protocolVersion?: 1; capabilities: Set<string>; refs: Map<string, string> };

/** Tips that are requested before the server's protocol version is known. */
interface ExpectedTips {
  branches: readonly string[];
  tips: Promise<Map<string, string>>;
}

/** One remote during one verification: branch tips and packs, over git's smart protocol, v2 or v0. */
export class RemoteRepository {
  private constructor(
    private readonly http: GitHttp,
    private readonly address: string,
    private readonly budget: Budget,
    private readonly discovered: Discovered,
    readonly capabilities: Capabilities,
    private readonly expectedTips?: ExpectedTips,
  ) {}

  /**
   * @param expected branches whose tips will be needed. They are requested at once, together with the capabilities,
   *   because nearly all servers know protocol v2 and do not redirect. Otherwise the answer to this request is dropped.
   * @throws RemoteFailure
   */
  static async open(
    http: GitHttp,
    address: string,
    { budget, expected = [] }: { budget: Budget; expected?: readonly string[] },
  ): Promise<RemoteRepository> {
    if (/[?#]/.test(address)) throw refused('query or fragment in the address');
    const asked = address.replace(/\/+$/, '');
    const tips = expected.length > 0 ? askForTips({ http, address: asked, budget }, expected) : undefined;
    tips?.catch(() => undefined);
    const { discovered, url } = await discover(boundedDiscovery(http, budget), asked);
    const stillAsked = tips && url === asked ? { branches: expected, tips } : undefined;
    return new RemoteRepository(http, url, budget, discovered, capabilitiesOf(discovered), stillAsked);
  }

  /**
   * The commit ids of these branches; a branch that does not exist has no entry.
   * @param branches full names (`refs/heads/…`): a tag of the same short name is another ref
   * @throws RemoteFailure
   */
  async tips(branches: readonly string[]): Promise<Map<string, string>> {
    if (this.discovered.protocolVersion !== 2) {
      const { refs } = this.discovered;
      return new Map(branches.flatMap((name) => tipOf(name, refs.get(name))));
    }
    const { http, address, budget, expectedTips } = this;
    if (expectedTips && branches.every((name) => expectedTips.branches.includes(name))) {
      return expectedTips.tips;
    }
    return askForTips({ http, address, budget }, branches);
  }

  /** @throws RemoteFailure */
  async fetch(request: FetchRequest): Promise<FetchAnswer> {
    if (this.discovered.protocolVersion === 2) {
      const answer = await this.post(writeFetchRequest(request, this.capabilities));
      return readFetchAnswer(answer, this.budget);
    }
    const body = writeLegacyRequest(request, this.discovered.capabilities);
    return readLegacyAnswer(await this.post(body), this.budget);
  }

  private post(body: Uint8Array[]): Promise<AsyncIterable<Uint8Array>> {
    const { http, address, capabilities } = this;
    return post({ http, address }, body, capabilities.version);
  }
}

/** Checks an id, because isomorphic-git accepts any word as one. */
function tipOf(name: string, id: string | undefined): [name: string, id: string][] {
  if (id === undefined) return [];
  if (!isObjectId(id)) throw unreadable('ref without an object id');
  return [[name, id]];
}

async function askForTips(
  { http, address, budget }: { http: GitHttp; address: string; budget: Budget },
  branches: readonly string[],
): Promise<Map<string, string>> {
  const answer = await post({ http, address }, writeTipsRequest(branches), 2);
  return readTips(answer, branches, budget);
}

async function post(
  { http, address }: { http: GitHttp; address: string },
  body: Uint8Array[],
  version: Capabilities['version'],
): Promise<AsyncIterable<Uint8Array>> {
  const answer = await GitRemoteHTTP.connect({
    http: isomorphic(http),
    service: SERVICE,
    url: address,
    auth: {},
    headers: version === 2 ? { 'git-protocol': 'version=2' } : {},
    body,
  });
  if (!answer.body) throw unreadable('answer without a body');
  return answer.body;
}

/** Reads the whole first answer under its own small cap, before isomorphic-git parses it. */
function boundedDiscovery(http: GitHttp, budget: Budget): GitHttp {
  return {
    request: async (request) => {
      const answer = await http.request(request);
      const parts: Uint8Array[] = [];
      let bytes = 0;
      for await (const part of answer.body) {
        bytes += part.length;
        if (bytes > budget.caps.refsBytes) throw new RemoteFailure('remote_too_large', 'too many refs');
        parts.push(part);
      }
      return { ...answer, body: once(Buffer.concat(parts)) };
    },
  };
}

async function discover(http: GitHttp, address: string): Promise<{ discovered: Discovered; url: string }> {
  let answeredBy = '';
  const observed: GitHttp = {
    request: async (request) => {
      const answer = await http.request(request);
      answeredBy = answer.url;
      return answer;
    },
  };
  try {
    const discovered = (await GitRemoteHTTP.discover({
      http: isomorphic(observed),
      service: SERVICE,
      url: address,
      headers: {},
      protocolVersion: 2,
    })) as Discovered;
    if (!answeredBy.endsWith(DISCOVERY)) throw unreadable('redirect to something else than a repository');
    return { discovered, url: answeredBy.slice(0, -DISCOVERY.length) };
  } catch (error) {
    // isomorphic-git's own errors quote the answer, so they are not passed on.
    throw error instanceof RemoteFailure ? error : unreadable('no git repository answers');
  }
}

function capabilitiesOf(discovered: Discovered): Capabilities {
  if (discovered.protocolVersion === 2) {
    const { capabilities2 } = discovered;
    requireSha1(capabilities2['object-format']);
    const fetch = capabilities2['fetch'];
    if (fetch === undefined) throw unreadable('server without fetch');
    return { version: 2, filter: typeof fetch === 'string' && fetch.split(' ').includes('filter') };
  }
  const format = [...discovered.capabilities].find((name) => name.startsWith('object-format='));
  requireSha1(format?.slice('object-format='.length));
  return { version: 0, filter: discovered.capabilities.has('filter') };
}

function requireSha1(objectFormat: string | true | undefined): void {
  if (objectFormat !== undefined && objectFormat !== 'sha1') {
    throw refused('repository with other object ids than SHA-1');
  }
}

async function* once(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

/** isomorphic-git's type of a body is narrower than the bodies it passes and accepts. */
function isomorphic(http: GitHttp): Parameters<typeof GitRemoteHTTP.connect>[0]['http'] {
  return http as Parameters<typeof GitRemoteHTTP.connect>[0]['http'];
}
