import { environmentLeases } from '../../../leases/claims';
import { leaseIdArgument } from '../../../leases/lease-id';
import { PlatCommand } from '../../../terminal/plat-command';

export class LeaseRenew extends PlatCommand {
  static override summary = 'Hold a lease for another term';
  static override examples = ['<%= config.bin %> <%= command.id %> <lease_id> --json'];
  static override args = { lease_id: leaseIdArgument };

  override async run(): Promise<void> {
    const { args } = await this.parse(LeaseRenew);
    const lease = await environmentLeases(this.environment).renew(args.lease_id);
    this.show(lease, ({ leaseId, expiresAt }) => `${leaseId} is held until ${expiresAt}.`);
  }
}
