import { environmentLeases } from '../../../leases/claims';
import { leaseTable } from '../../../leases/lease';
import { PlatCommand } from '../../../terminal/plat-command';

export class LeaseList extends PlatCommand {
  static override summary = 'List the leases of this environment';
  static override examples = ['<%= config.bin %> <%= command.id %> --json'];

  override async run(): Promise<void> {
    await this.parse(LeaseList);
    this.show(await environmentLeases(this.environment).list(), leaseTable);
  }
}
