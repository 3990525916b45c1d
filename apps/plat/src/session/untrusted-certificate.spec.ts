import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { Machine } from '../black-box/plat-process';
import type { PlatformAlias } from '../config/cloud-alias';
import { providerFailure } from './identity-provider';

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

  it.each([
    ['sends its own certificate alone', ['server.pem'], 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ["sends its authority's too", ['server.pem', 'authority.pem'], 'SELF_SIGNED_CERT_IN_CHAIN'],
  ])('and that %s is no unreachable platform: the remedy is named, and it helps', async (_, sent, code) => {
    const cert = (await Promise.all(sent.map(read))).join('');
    const server = createServer({ cert, key: await read('server.key') }, (_request, response) =>
      response.end('{}'),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const init = async (authority: string) => {
      const env = { NODE_EXTRA_CA_CERTS: authority };
      return (await machine.plat(['cloud', 'init', 'work', '--api-url', address, '--json'], { env })).json();
    };
    expect(await init('')).toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
      message: expect.stringContaining(`the certificate of ${address} (${code})`),
      details: { next: expect.stringMatching(NEXT) },
    });
    expect(await init(join(folder, 'authority.pem'))).toMatchObject({ code: 'NOT_THE_PLATFORM' });
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
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
