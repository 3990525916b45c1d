import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `body`: of the request. */
export type Answerer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** The answers of a scripted server at each step of a fetch over protocol v2. Default: honest answers without a pack. */
export interface GitScript {
  /** `GET …/info/refs` */
  discovery?: Answerer;
  /** The command `ls-refs`. Default: `refs/heads/main` at `tip`. */
  tips?: Answerer;
  /** The command `fetch`. */
  fetch?: Answerer;
  tip?: string;
}

export interface ScriptedGitServer {
  origin: string;
  requests: string[];
  close(): Promise<void>;
}

/** A git server that lies, hangs or floods, as its script says. */
export async function startScriptedGitServer(script: GitScript): Promise<ScriptedGitServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.on('error', () => undefined);
    void bodyOf(request).then((body) => {
      if (request.method === 'GET') (script.discovery ?? advertise)(response, request, body);
      else if (body.includes('command=ls-refs')) (script.tips ?? tipAt(script.tip))(response, request, body);
      else (script.fetch ?? knowNothing)(response, request, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The capabilities of a server of protocol v2. */
export function advertise(response: ServerResponse): void {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.end(
    ['version 2\n', 'ls-refs=unborn\n', 'fetch=shallow filter\n', 'object-format=sha1\n'].map(line).join('') +
      '0000',
  );
}

/** An answer to `fetch` that carries a pack, in packets of the side band. */
export function sendPack(pack: Buffer): Answerer {
  return (response) => {
    response.write(line('acknowledgments\n') + line('ready\n') + '0001' + line('packfile\n'));
    for (let start = 0; start < pack.length; start += 60_000) {
      response.write(sideBand(1, pack.subarray(start, start + 60_000)));
    }
    response.end('0000');
  };
}

/** A packet line of git's protocol. */
export function line(payload: string): string {
  return (Buffer.byteLength(payload) + 4).toString(16).padStart(4, '0') + payload;
}

export function sideBand(band: 1 | 2 | 3, payload: Buffer): Buffer {
  const head = (payload.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(head), Buffer.from([band]), payload]);
}

/** Answers `fetch` as a server that knows none of the haves. */
function knowNothing(response: ServerResponse): void {
  response.end(line('acknowledgments\n') + line('NAK\n') + '0000');
}

function tipAt(tip = 'a'.repeat(40)): Answerer {
  return (response) => response.end(line(`${tip} refs/heads/main\n`) + '0000');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}
