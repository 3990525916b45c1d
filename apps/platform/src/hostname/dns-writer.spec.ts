import { Secret } from '@plat/service';
import { startUpdateServer, type UpdateServer } from '@plat/testing';
import { DnsWriter, type DnsWriterOptions } from './dns-writer';

const ZONE = 'services.example';
const NAME = '*.acme-dev.services.example';

const started: UpdateServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.stop())));

async function open(algorithm: 'hmac-sha256' | 'hmac-sha512' = 'hmac-sha256', key: object = {}) {
  const server = await startUpdateServer(ZONE, algorithm);
  started.push(server);
  const options: DnsWriterOptions = {
    server: { host: '127.0.0.1', port: server.port },
    zone: ZONE,
    key: { name: server.keyName, algorithm, secret: new Secret(server.secret), ...key },
  };
  return { server, options, writer: new DnsWriter(options) };
}

describe('a record is written by a signed UPDATE', () => {
  it.each(['hmac-sha256', 'hmac-sha512'] as const)('with %s: type A, TTL 60', async (algorithm) => {
    const { server, writer } = await open(algorithm);
    await writer.replace(NAME, '192.0.2.1');
    expect([...server.records]).toEqual([[NAME, '60 192.0.2.1']]);
    expect(server.transports).toEqual(['udp']);
  });

  it('which replaces the address that was there, and may be sent again', async () => {
    const { server, writer } = await open();
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.2']) await writer.replace(NAME, address);
    expect([...server.records]).toEqual([[NAME, '60 192.0.2.2']]);
  });

  it('and removed by one; that there is none is no error', async () => {
    const { server, writer } = await open();
    await writer.replace(NAME, '192.0.2.1');
    await writer.remove(NAME);
    await writer.remove(NAME);
    expect(server.records.size).toBe(0);
  });

  it('by TCP when the reply does not fit a datagram', async () => {
    const { server, writer } = await open();
    server.fault = 'truncated by UDP';
    await writer.replace(NAME, '192.0.2.1');
    expect(server.transports).toEqual(['tcp']);
  });
});

describe('a record counts as not written', () => {
  it.each([
    ['unsigned', 'the reply is not signed'],
    ['wrong signature', 'the signature of the reply is wrong'],
    ['silent', 'the name server does not answer'],
  ] as const)('when the reply is %s', async (fault, message) => {
    const { server, writer } = await open();
    server.fault = fault;
    await expect(writer.replace(NAME, '192.0.2.1')).rejects.toThrow(message);
  });

  it('when the server does not take the key', async () => {
    const { server, writer } = await open('hmac-sha256', { secret: new Secret('c3Vic3RpdHV0ZQ==') });
    await expect(writer.replace(NAME, '192.0.2.1')).rejects.toThrow('refused the update (RCODE 9)');
    expect(server.records.size).toBe(0);
  });

  it("when the zone is not the server's", async () => {
    const { options } = await open();
    const writer = new DnsWriter({ ...options, zone: 'elsewhere.example' });
    await expect(writer.replace('*.x.elsewhere.example', '192.0.2.1')).rejects.toThrow('RCODE 5');
  });

  it('when it is no DNS name', async () => {
    const { writer } = await open();
    await expect(writer.replace(`*.${'a'.repeat(64)}.${ZONE}`, '192.0.2.1')).rejects.toThrow('no DNS name');
  });
});
