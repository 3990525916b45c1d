import { holderName } from '../../../config/orchestrator';
import { environmentLeases } from '../../../leases/claims';
import { LEASE_SCOPES, type LeaseScope } from '../../../leases/lease';
import { countFlag } from '../../../terminal/count-flag';
import { milliseconds } from '../../../terminal/duration';
import { Flags } from '../../../terminal/oclif';
import { PlatCommand } from '../../../terminal/plat-command';
import { prose } from '../../../terminal/prose';

export class LeaseTake extends PlatCommand {
  static override summary = 'Take a lease on this environment, to show work in it or to claim it';
  static override description =
    prose(`An exclusive lease refuses the gate and new jobs to all others. A lease ends when it is released, when its
time is over, or when the process of --pid ends. No lease is held for more than 12 hours. While one scope is claimed,
only its holder can claim the other, with --under-lease.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --exclusive --scope environment --pid $$ --json',
    '<%= config.bin %> <%= command.id %> --ttl 1h',
  ];
  static override flags = {
    exclusive: Flags.boolean({ description: 'Claim the scope for one holder' }),
    scope: Flags.option({
      options: LEASE_SCOPES,
      dependsOn: ['exclusive'],
      description: 'Scope of the claim (default: worktree)',
    })(),
    ttl: Flags.string({
      description: 'Term (default: 5m when exclusive, else 15m)',
      helpValue: '<duration>',
    }),
    pid: countFlag({ description: 'Process whose end ends the lease', helpValue: '<pid>' }),
    'under-lease': Flags.string({
      description: "The caller's own claim of the other scope",
      dependsOn: ['exclusive'],
      helpValue: '<lease_id>',
    }),
    holder: Flags.string({
      description:
        'Name of the holder (default: the orchestrator of PLAT_ORCHESTRATOR_ID, else the login name)',
      helpValue: '<text>',
    }),
    'dry-run': Flags.boolean({ description: 'Print the lease, take none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(LeaseTake);
    const leases = environmentLeases(this.environment);
    const scope: LeaseScope | undefined = flags.exclusive ? (flags.scope ?? 'worktree') : undefined;
    if (flags['dry-run']) return this.showPlan([`lease: ${scope ?? 'nothing claimed'}`]);
    const lease = await leases.take({
      scope,
      pid: flags.pid,
      under: flags['under-lease'],
      holder: flags.holder ?? holderName(this.environment),
      ttlSeconds: flags.ttl === undefined ? undefined : milliseconds(flags.ttl, '--ttl') / 1000,
    });
    this.show(lease, ({ leaseId, expiresAt }) => `${leaseId} is held until ${expiresAt}.`);
  }
}
