import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 if the connection ended without an answer, or with an answer that has no head, only a body (HTTP/0.9). */
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes that no HTTP client would send, and reads until the server ends the connection. */
export async function sendRaw(url: string, request: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  socket.write(request, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return readAnswer(Buffer.concat(chunks).toString('utf8'));
}

/** The last answer of a connection; interim ones (1xx) come before it. */
function readAnswer(text: string): RawAnswer {
  const final = text.replace(/^(HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  if (!final.startsWith('HTTP/')) return { status: 0, headers: {}, body: final };
  const [head = '', ...rest] = final.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
