import { randomInt } from 'node:crypto';
import { exchange, type NameServerAddress } from './dns-exchange';
import { encodeUpdate, FLAG_REPLY } from './dns-message';
import { refusalOf } from './dns-refusal';
import { sign, type TsigKey, verify } from './tsig';

/** Seconds for which resolvers may cache a record. Spec: Client, Limits. */
const RECORD_TTL_SECONDS = 60;

export interface DnsWriterOptions {
  server: NameServerAddress;
  zone: string;
  key: TsigKey | (() => TsigKey);
  /** The clock for signatures, in seconds since 1970; default this machine's. */
  nowSeconds?: () => number;
}

/** Writes A records of one zone by signed UPDATEs (RFC 2136, RFC 8945). Rule E4. */
export class DnsWriter {
  constructor(private readonly options: DnsWriterOptions) {}

  get zone(): string {
    return this.options.zone;
  }

  /** Makes the address the name's only one. @throws Error when the server refused or did not answer */
  replace(name: string, ipv4: string): Promise<void> {
    return this.update({ name, ipv4 });
  }

  /** Removes the name's addresses, if there are any. @throws Error like `replace` */
  remove(name: string): Promise<void> {
    return this.update({ name });
  }

  private async update(record: { name: string; ipv4?: string }): Promise<void> {
    const { server, zone, nowSeconds = machineClock } = this.options;
    const key = typeof this.options.key === 'function' ? this.options.key() : this.options.key;
    const message = encodeUpdate(randomInt(0x10000), { zone, ttlSeconds: RECORD_TTL_SECONDS, ...record });
    const { signed, mac } = sign(message, key, nowSeconds());
    const reply = await exchange(signed, server);
    if ((reply.readUInt16BE(2) & FLAG_REPLY) === 0) throw new Error('the name server sent no reply');
    // A refusal may be unsigned, so it is reported before the signature is verified.
    const refusal = refusalOf(reply);
    if (refusal !== undefined) throw new Error(`the name server refused the update: ${refusal}`);
    verify(reply, key, { requestMac: mac, nowSeconds: nowSeconds() });
  }
}

const machineClock = (): number => Math.floor(Date.now() / 1000);
