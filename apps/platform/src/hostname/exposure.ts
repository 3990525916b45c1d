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
   * The name of the namespace's record, `*.<tenant>-<env>.<servicesZone>`.
   *
   * @throws NOT_IMPLEMENTED
   */
  hostnameOf(namespace: string): string {
    return `*.${namespace}.${this.expectWriter().zone}`;
  }

  /** Points a record at an address. @throws NOT_IMPLEMENTED, SERVICE_UNAVAILABLE when the name server did not take it */
  async expose(hostname: string, ipv4: string): Promise<void> {
    await expectConfirmed(this.expectWriter().replace(hostname, ipv4));
  }

  /** @throws NOT_IMPLEMENTED, SERVICE_UNAVAILABLE */
  async unexpose(hostname: string): Promise<void> {
    await expectConfirmed(this.expectWriter().remove(hostname));
  }

  private expectWriter(): DnsWriter {
    if (!this.writer) throw new ApiError('NOT_IMPLEMENTED', { message: NO_NAME_SERVER });
    return this.writer;
  }
}

async function expectConfirmed(update: Promise<void>): Promise<void> {
  try {
    await update;
  } catch (cause) {
    throw new ApiError('SERVICE_UNAVAILABLE', {
      message: 'The name server has not confirmed the change.',
      cause,
    });
  }
}
