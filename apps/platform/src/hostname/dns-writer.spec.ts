import { Secret } from '@plat/service';
import { startUpdateServer, type UpdateServer } from '@plat/testing';
import { DnsWriter, type DnsWriterOptions } from './dns-writer';
import { describeDnsWriter } from './dns-writer.conformance';

const ZONE = 'services.example';
const NAME = '*.acme-dev.services.example';

const started: UpdateServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.stop())));

async function open() {
  const server = await startUpdateServer(ZONE);
  started.push(server);
  const options: DnsWriterOptions = {
    server: { host: '127.0.0.1', port: server.port },
    zone: ZONE,
    key: { name: server.keyName, algorithm: 'hmac-sha256', secret: new Secret(server.secret) },
  };
  return { server, writer: new DnsWriter(options) };
}

describeDnsWriter('the double', {
  start: async (algorithm) => {
    const { port, keyName, secret, stop } = await startUpdateServer(ZONE, algorithm);
    return { host: '127.0.0.1', port, zone: ZONE, key: { name: keyName, algorithm, secret }, stop };
  },
  refusals: {
    wrongKey: 'NOTAUTH (BADKEY)',
    wrongSecret: 'NOTAUTH (BADSIG)',
    wrongClock: 'NOTAUTH (BADTIME)',
  },
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

  it('when it is no DNS name', async () => {
    const { writer } = await open();
    await expect(writer.replace(`*.${'a'.repeat(64)}.${ZONE}`, '192.0.2.1')).rejects.toThrow('no DNS name');
  });
});
