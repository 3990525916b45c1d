import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile, spawn } from '@plat/testing';
import { successOf } from '../black-box/contract-answers';
import { builtPlat, ended, Machine, PATH } from '../black-box/plat-process';
import type { PlatformAlias } from '../config/cloud-alias';
import { providerFailure } from '../session/identity-provider';

const NEXT = /^set NODE_EXTRA_CA_CERTS .*docs\/private-authority\.md/;

describe('a server whose certificate a private authority signed', () => {
  let folder: string;
  let machine: Machine;
  beforeAll(async () => {
    [machine, folder] = await Promise.all([Machine.create(), mkdtemp(join(tmpdir(), 'plat-authority-'))]);
    const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    const make = (name: string, ...more: string[]) =>
      promisify(execFile)(
        'openssl',
        [
          'req',
          '-x509',
          ...options,
          '-subj',
          `/CN=${name}`,
          '-keyout',
          `${name}.key`,
          '-out',
          `${name}.pem`,
          ...more,
        ],
        { cwd: folder },
      );
    await make('authority', '-addext', 'basicConstraints=critical,CA:TRUE');
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'];
    await make('server', '-CA', 'authority.pem', '-CAkey', 'authority.key', ...names);
  });
  afterAll(() => Promise.all([machine.remove(), rm(folder, { recursive: true })]));

  const read = (name: string) => readFile(join(folder, name), 'utf8');

  const servers: Server[] = [];
  afterEach(() =>
    Promise.all(
      servers.splice(0).map((server) => {
        server.closeAllConnections();
        return once(server.close(), 'close');
      }),
    ),
  );

  /** A platform whose server sends these certificates. @returns its address */
  async function serve(...sent: string[]): Promise<string> {
    const cert = (await Promise.all(sent.map(read))).join('');
    const server = createServer({ cert, key: await read('server.key') });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = { issuer: address, apiUrl: address, cliClientId: 'plat-cli', version: '0.1.0' };
    const body = JSON.stringify(successOf('GET', '/v1/platform')?.complete(own));
    server.on('request', (_request, response) => response.end(body));
    return address;
  }

  it.each([
    ['sends its own certificate alone', ['server.pem'], 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ["sends its authority's too", ['server.pem', 'authority.pem'], 'SELF_SIGNED_CERT_IN_CHAIN'],
  ])('and that %s is no unreachable platform: the remedy is named, and it helps', async (_, sent, code) => {
    const address = await serve(...sent);
    const init = async (authority: string) => {
      const env = { NODE_EXTRA_CA_CERTS: authority };
      return (await machine.plat(['cloud', 'init', 'work', '--api-url', address, '--json'], { env })).json();
    };
    expect(await init('')).toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
      message: expect.stringContaining(`the certificate of ${address} (${code})`),
      details: { next: expect.stringMatching(NEXT) },
    });
    expect(await init(join(folder, 'authority.pem'))).toMatchObject({ apiUrl: address });
  });

  describe('docs/private-authority.md', () => {
    const page = readFileSync(join(workspaceRoot(), 'docs/private-authority.md'), 'utf8');

    it('has the lines after which plat reaches it', async () => {
      const address = await serve('server.pem');
      const authority = join(machine.home, '.config', 'acme-authority.pem');
      await mkdir(join(machine.home, '.config'), { recursive: true });
      await copyFile(join(folder, 'authority.pem'), authority);
      const init = ['cloud', 'init', 'page', '--api-url', address];
      await machine.plat(init, { env: { NODE_EXTRA_CA_CERTS: authority } });
      await machine.plat(['cloud', 'use', 'page']);
      const [, block = ''] = /^```sh\n([^]*?)^```$/m.exec(page) ?? [];
      expect(block).toMatch(/^export .*\nplat doctor\n$/);
      const plat = await builtPlat();
      const type = async (lines: string) => {
        const shell = `plat() { '${process.execPath}' '${plat}' "$@"; }\n${lines}`;
        const child = spawn('/bin/sh', ['-c', shell], {
          cwd: machine.home,
          env: { PATH, HOME: machine.home },
        });
        return (await ended(child)).stdout;
      };
      expect(await type('plat doctor')).toContain('does not trust the authority');
      expect(await type(block)).toContain('answers, version 0.1.0');
    });

    it.each(['CERTIFICATE_NOT_TRUSTED', 'http.sslCAInfo', 'certificate-authority', '<registry>/ca.crt'])(
      'has %s, which a failure leads to',
      (word) => expect(page).toContain(word),
    );
  });

  it.each([
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ])('and that is the identity provider is no failed network: %s', (code) => {
    const cause = Object.assign(new Error('not trusted'), { code });
    const alias = { name: 'work', issuer: 'https://id.example.com' } as PlatformAlias;
    const failure = providerFailure(new TypeError('fetch failed', { cause }), alias);
    expect([failure.code, failure.next]).toEqual(['CERTIFICATE_NOT_TRUSTED', expect.stringMatching(NEXT)]);
  });
});
