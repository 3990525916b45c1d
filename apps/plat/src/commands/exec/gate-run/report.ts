import { updateGateRun } from '@plat/api-client';
import { GATE_RUN_DECISIONS } from '@plat/contracts/core';
import { gateRunIdArgument, gateRunIdOf } from '../../../gate/gate-run-id';
import { gateRunLine } from '../../../gate/gate-run-views';
import { PlatformCommand } from '../../../platform/platform-command';
import { Failure } from '../../../terminal/failure';
import { Flags } from '../../../terminal/oclif';

export class GateRunReport extends PlatformCommand {
  static override summary = 'Report how a gate attempt ended';
  static override description =
    'INCONCLUSIVE: no real verdict was reached, and the gate is worth driving again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> <gate_run_id> --verdict PASSED',
    '<%= config.bin %> <%= command.id %> <gate_run_id> --verdict FAILED --failing-step "unit tests"',
  ];
  static override args = { gate_run_id: gateRunIdArgument };
  static override flags = {
    verdict: Flags.option({ options: GATE_RUN_DECISIONS, description: 'How it ended', required: true })(),
    'failing-step': Flags.string({
      description: 'The step that failed; required for FAILED',
      helpValue: '<text>',
    }),
    'log-ref': Flags.string({ description: 'Where the log is', helpValue: '<address>' }),
    'dry-run': Flags.boolean({ description: 'Print the call, make none' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(GateRunReport);
    const platform = await this.platform(flags);
    const { verdict, 'failing-step': failingStep, 'log-ref': logRef } = flags;
    if (verdict === 'FAILED' && !failingStep?.trim()) {
      throw new Failure('FAILING_STEP_REQUIRED', 'A failed gate run names what failed.', {
        next: 'add --failing-step <text>',
      });
    }
    const gateRunId = await gateRunIdOf(platform.api, args.gate_run_id);
    if (flags['dry-run']) {
      return this.showPlan([platform.plannedCall('updateGateRun', { gate_run_id: gateRunId })]);
    }
    const run = updateGateRun(platform.api, {
      gateRunId,
      body: { verdict, failingStep, logRef },
    });
    this.show(await this.progress('Reporting', run), gateRunLine);
  }
}
