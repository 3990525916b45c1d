import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CONSOLE_PATH, SIGNED_IN_PATH } from '../places';

/** Names of assets have a hash of the content in them, so a browser may keep them for a year without a question. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Small answers are not worth their compression. */
const COMPRESSED_FROM_BYTES = 256;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface ServedFile {
  headers: Record<string, string>;
  body: Buffer;
  /** Absent if the file is too small. */
  compressed?: Buffer | undefined;
}

/**
 * Headers of each page. They permit the console's own scripts, styles and images, requests to its own origin and to
 * identity providers, and nothing else: no inline script or style, no frame, no form that leaves the page, and no text
 * that becomes HTML.
 *
 * @param providerOrigins origins of the identity providers, such as `https://id.example.com`; none if they are on the
 *   console's own
 */
export function consoleHeaders(providerOrigins: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...providerOrigins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  };
}

/**
 * Reads the built console, and serves it below `/console/`: each asset by its name, the page to which the identity
 * provider returns, and the console itself at every other path, because its places are paths of their own.
 *
 * @param folder what the build of `apps/console` writes
 * @returns handles a request below `/console` and returns true, or returns false
 * @throws Error if the folder has no console
 */
export async function openConsoleFiles(
  folder: string,
  providerOrigins: readonly string[] = [],
): Promise<(req: IncomingMessage, res: ServerResponse) => boolean> {
  const headers = consoleHeaders(providerOrigins);
  const page = async (name: string) =>
    readServed(join(folder, name), { ...headers, 'cache-control': 'no-cache' });
  const [home, signedIn] = await Promise.all([page('index.html'), page('signed-in.html')]);
  // Its window was opened by the console and must stay connected with it, so that it can be closed.
  home.headers['cross-origin-opener-policy'] = 'same-origin-allow-popups';
  const assets = await readAssets(join(folder, 'assets'), headers);

  return (req, res) => {
    const [path = ''] = (req.url ?? '').split('?', 1);
    if (path !== CONSOLE_PATH && !path.startsWith(`${CONSOLE_PATH}/`)) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      refuse(res, 405, { ...headers, allow: 'GET, HEAD' });
    } else if (path === CONSOLE_PATH) {
      res.writeHead(308, { ...headers, location: `${CONSOLE_PATH}/` }).end();
    } else if (path.startsWith(`${CONSOLE_PATH}/assets/`)) {
      const asset = assets.get(path.slice(`${CONSOLE_PATH}/assets/`.length));
      if (asset) send(req, res, asset);
      else refuse(res, 404, headers);
    } else {
      send(req, res, path === SIGNED_IN_PATH ? signedIn : home);
    }
    return true;
  };
}

async function readAssets(
  folder: string,
  headers: Record<string, string>,
): Promise<ReadonlyMap<string, ServedFile>> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map((name) => readServed(join(folder, name), { ...headers, 'cache-control': IMMUTABLE })),
  );
  return new Map(names.map((name, place) => [name, files[place]!]));
}

async function readServed(file: string, headers: Record<string, string>): Promise<ServedFile> {
  const body = await readFile(file);
  const type = TYPES[extname(file)];
  if (type === undefined) throw new Error(`${file} has no type that the console serves.`);
  const compressed =
    body.length < COMPRESSED_FROM_BYTES ? undefined : await promisify(gzip)(body, { level: 9 });
  return { headers: { ...headers, 'content-type': type, vary: 'accept-encoding' }, body, compressed };
}

function send(req: IncomingMessage, res: ServerResponse, { headers, body, compressed }: ServedFile): void {
  const accepted = String(req.headers['accept-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim());
  const zipped =
    compressed !== undefined && accepted.some((coding) => /^gzip(?:;q=(?!0(?:\.0*)?$).*)?$/.test(coding));
  const content = zipped ? compressed : body;
  const length = { 'content-length': String(content.length) };
  res.writeHead(
    200,
    zipped ? { ...headers, ...length, 'content-encoding': 'gzip' } : { ...headers, ...length },
  );
  res.end(req.method === 'HEAD' ? undefined : content);
}

function refuse(res: ServerResponse, status: number, headers: Record<string, string>): void {
  const body = status === 404 ? 'The console has no such file.\n' : 'The console can only be read.\n';
  res.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(body);
}
