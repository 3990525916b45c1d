import { Secret } from '@plat/service';
import { addressesAt, startTruncatingFront, type UpdatedServer } from '@plat/testing';
import { DnsWriter, type DnsWriterOptions } from './dns-writer';
import type { TsigAlgorithm } from './tsig';

/** A name server under test, and the reasons that it gives for refused signatures. */
export interface NameServerCase {
  start(algorithm: TsigAlgorithm): Promise<UpdatedServer>;
  refusals: { wrongKey: string; wrongSecret: string; wrongClock: string };
}

const ENVIRONMENT = 'acme-dev';
const HOUR_SECONDS = 3600;

/** The cases that pass with every name server that a deployment may have. Rule E4. */
export function describeDnsWriter(name: string, { start, refusals }: NameServerCase): void {
  describe(`${name} takes signed UPDATEs`, () => {
    let server: UpdatedServer;
    let record: string;
    beforeAll(async () => (server = await start('hmac-sha256')));
    afterAll(() => server.stop());
    afterEach(() => writer().remove(record));

    function writer({ key, ...changes }: { key?: object } & Partial<Omit<DnsWriterOptions, 'key'>> = {}) {
      record = `*.${ENVIRONMENT}.${server.zone}`;
      return new DnsWriter({
        server,
        zone: server.zone,
        key: { ...server.key, secret: new Secret(server.key.secret), ...key },
        ...changes,
      });
    }

    /** The addresses that a visitor of one of the environment's services gets. */
    const visit = () => addressesAt(server, `shop.${ENVIRONMENT}.${server.zone}`);

    it('that add a wildcard record: type A, TTL 60', async () => {
      const written = writer();
      expect(await visit()).toEqual([]);
      await written.replace(record, '192.0.2.1');
      expect(await visit()).toEqual([{ address: '192.0.2.1', ttl: 60 }]);
    });

    it('that replace the address that was there, and may be sent again', async () => {
      const written = writer();
      for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.2']) await written.replace(record, address);
      expect(await visit()).toEqual([{ address: '192.0.2.2', ttl: 60 }]);
    });

    it('that remove the record, also if there is none', async () => {
      const written = writer();
      await written.replace(record, '192.0.2.1');
      await written.remove(record);
      expect(await visit()).toEqual([]);
      await written.remove(record);
    });

    it('with names of the greatest length', async () => {
      const long = `*.${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(40)}.${server.zone}`;
      const written = writer();
      await written.replace(long, '192.0.2.1');
      expect(await addressesAt(server, long.replace('*', 'x'))).toEqual([{ address: '192.0.2.1', ttl: 60 }]);
      await written.remove(long);
    });

    it('by TCP when the reply does not fit a datagram', async () => {
      const front = await startTruncatingFront(server.port);
      await writer({ server: front }).replace(record, '192.0.2.1');
      await front.stop();
      expect(front.connections()).toBe(1);
      expect(await visit()).toHaveLength(1);
    });

    it('with hmac-sha512 as well', async () => {
      const other = await start('hmac-sha512');
      const key = { ...other.key, secret: new Secret(other.key.secret) };
      await new DnsWriter({ server: other, zone: other.zone, key }).replace(`*.x.${other.zone}`, '192.0.2.1');
      const addresses = await addressesAt(other, `y.x.${other.zone}`);
      await other.stop();
      expect(addresses).toHaveLength(1);
    });

    it.each<[string, () => Parameters<typeof writer>[0], string]>([
      ['a key that it does not know', () => ({ key: { name: 'other-key' } }), refusals.wrongKey],
      [
        "a secret that is not the key's",
        () => ({ key: { secret: new Secret('c3Vic3RpdHV0ZQ==') } }),
        refusals.wrongSecret,
      ],
      [
        'a clock that is an hour off',
        () => ({ nowSeconds: () => Math.floor(Date.now() / 1000) - HOUR_SECONDS }),
        refusals.wrongClock,
      ],
      ['a zone that it does not serve', () => ({ zone: 'elsewhere.example' }), 'NOTAUTH'],
    ])('and refuses %s', async (_, changes, refusal) => {
      const refused = writer(changes());
      const name = `*.${ENVIRONMENT}.${refused.zone}`;
      await expect(refused.replace(name, '192.0.2.1')).rejects.toThrow(
        new Error(`the name server refused the update: ${refusal}`),
      );
      expect(await visit()).toEqual([]);
    });
  });
}
