import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '../starter/child-process';

/** A key and a certificate for 127.0.0.1, localhost and the given names, valid for a day, both PEM. */
export async function makeSelfSignedCertificate(
  ...names: readonly string[]
): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    await promisify(execFile)('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...[
        '-subj',
        '/CN=localhost',
        '-addext',
        ['subjectAltName=IP:127.0.0.1', 'DNS:localhost', ...names.map((name) => `DNS:${name}`)].join(),
        '-keyout',
        key,
        '-out',
        cert,
      ],
    ]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
