import { environmentLeases } from '../../../leases/claims';
import { leaseIdArgument } from '../../../leases/lease-id';
import { PlatCommand } from '../../../terminal/plat-command';

export class LeaseRelease extends PlatCommand {
  static override summary = 'Release a lease';
  static override examples = ['<%= config.bin %> <%= command.id %> <lease_id> --json'];
  static override args = { lease_id: leaseIdArgument };

  override async run(): Promise<void> {
    const { args } = await this.parse(LeaseRelease);
    const lease = await environmentLeases(this.environment).release(args.lease_id);
    this.show(lease, ({ leaseId }) => `${leaseId} is given back.`);
  }
}
