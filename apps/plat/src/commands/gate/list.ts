import { type GateRunPage, listGateRuns } from '@plat/api-client';
import { GATE_RUN_VERDICTS } from '@plat/contracts/core';
import { isHiccup } from '../../failures/api-failure';
import { gateRunTable } from '../../gate/gate-run-views';
import { PlatformCommand } from '../../platform/platform-command';
import { reviewIdOfFlag } from '../../reviews/review-id';
import { countFlag } from '../../terminal/count-flag';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { watch, watchFlag } from '../../terminal/watch';

export class GateList extends PlatformCommand {
  static override summary = 'List gate runs, newest first';
  static override description = 'Lists the gate runs that match every given filter.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --target-branch main',
    '<%= config.bin %> <%= command.id %> --status RUNNING --watch',
    '<%= config.bin %> <%= command.id %> --status FAILED --limit 5 --json',
  ];
  static override flags = {
    watch: watchFlag,
    'target-branch': Flags.string({ description: 'Target branch', helpValue: '<branch>' }),
    'source-branch': Flags.string({ description: 'Source branch', helpValue: '<branch>' }),
    status: Flags.option({ options: GATE_RUN_VERDICTS, description: 'Verdict' })(),
    review: Flags.string({ description: 'Review that is gated', helpValue: '<review_id>' }),
    limit: countFlag({ description: 'How many, 200 at most (default: 50)', max: 200 }),
    cursor: Flags.string({ description: 'nextCursor of the page before', helpValue: '<cursor>' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(GateList);
    const { api } = await this.platform(flags);
    const query = {
      targetBranch: flags['target-branch'],
      sourceBranch: flags['source-branch'],
      status: flags.status,
      reviewId: await reviewIdOfFlag(api, flags.review),
      limit: flags.limit?.toString(),
      cursor: flags.cursor,
    };
    const read = () => this.progress('Listing gate runs', listGateRuns(api, { query }));
    if (flags.watch) {
      const show = (page: GateRunPage) => this.show(page, gateRunTable);
      return watch({ read, show, isHiccup, terminal: this.terminal });
    }
    const page = await read();
    this.show(page, gateRunTable);
    if (page.nextCursor !== undefined) {
      this.terminal.note(nextStep('There are more: --cursor', [page.nextCursor]));
    }
  }
}
