import { AUDIT_TYPES } from '@plat/contracts/core';
import { PlatformCommand } from '../../platform/platform-command';
import { countFlag } from '../../terminal/count-flag';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';
import { readTrail } from '../../trail/trail-selection';
import { trailTable } from '../../trail/trail-table';
import { userNames } from '../../users/user-names';

export class AuditList extends PlatformCommand {
  static override summary = 'List the requests of the audit trail, newest first';
  static override description =
    prose(`Lists the authorized requests that match every given filter: who asked, when, by what, and for which route.
The listing is a request of the trail itself. It needs a role that permits GET /v1/audit-events.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --since 1h',
    '<%= config.bin %> <%= command.id %> --mine --since 7d --limit 200',
    '<%= config.bin %> <%= command.id %> --user bob --method POST --path /v1/reviews/merge-queue/override-advance --json',
  ];
  static override flags = {
    since: Flags.string({ description: 'Earliest: a time, RFC 3339, or how long ago', helpValue: '<time>' }),
    until: Flags.string({ description: 'Latest: a time, RFC 3339, or how long ago', helpValue: '<time>' }),
    user: Flags.string({ description: 'Who asked: id or name', helpValue: '<user>' }),
    mine: Flags.boolean({ description: 'Your own requests', exclusive: ['user'] }),
    type: Flags.option({ options: AUDIT_TYPES, description: 'By what' })(),
    method: Flags.string({ description: 'HTTP method', helpValue: '<method>' }),
    path: Flags.string({
      description: 'Route template, such as /v1/reviews/{review_id}',
      helpValue: '<path>',
    }),
    limit: countFlag({ description: 'How many, 200 at most (default: 50)', max: 200 }),
    cursor: Flags.string({ description: 'nextCursor of the page before', helpValue: '<cursor>' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(AuditList);
    const platform = await this.platform(flags);
    const { configFolder } = this.environment;
    const page = await this.progress('Reading the trail', readTrail(configFolder, platform, flags));
    const names = await userNames(configFolder, platform.alias);
    this.show(page, (shown) => trailTable(shown, names));
    if (page.nextCursor !== undefined) {
      this.terminal.note(nextStep('There are more: --cursor', [page.nextCursor]));
    }
  }
}
