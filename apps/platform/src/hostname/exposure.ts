import { ApiError } from '@plat/contracts/core';
import type { DnsWriter } from './dns-writer';

const NO_NAME_SERVER =
  'This deployment writes no DNS records: no name server is configured; ask its operator.';

/** The public names of environments: one wildcard record each. Spec: Client, Exposure plan. */
export class Exposure {
  /** @param writer absent where the deployment writes no DNS */
  constructor(private readonly writer: DnsWriter | undefined) {}

  get configured(): boolean {
    return this.writer !== undefined;
  }

  /**
   * Points the namespace's names at an address.
   *
   * @returns the record's name, `*.<tenant>-<env>.<servicesZone>`
   * @throws NOT_IMPLEMENTED, SERVICE_UNAVAILABLE when the name server did not take it
   */
  async expose(namespace: string, ipv4: string): Promise<string> {
    const writer = this.expectWriter();
    const hostname = wildcard(namespace, writer);
    await judged(writer.replace(hostname, ipv4));
    return hostname;
  }

  /** @throws NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async unexpose(namespace: string): Promise<void> {
    const writer = this.expectWriter();
    await judged(writer.remove(wildcard(namespace, writer)));
  }

  private expectWriter(): DnsWriter {
    if (!this.writer) throw new ApiError('NOT_IMPLEMENTED', { message: NO_NAME_SERVER });
    return this.writer;
  }
}

const wildcard = (namespace: string, { zone }: DnsWriter): string => `*.${namespace}.${zone}`;

async function judged(update: Promise<void>): Promise<void> {
  try {
    await update;
  } catch (cause) {
    throw new ApiError('SERVICE_UNAVAILABLE', {
      message: 'The name server has not confirmed the change.',
      cause,
    });
  }
}
