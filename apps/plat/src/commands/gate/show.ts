import { getGateRun } from '@plat/api-client';
import { gateRunIdArgument, gateRunIdOf } from '../../gate/gate-run-id';
import { gateRunDetails } from '../../gate/gate-run-views';
import { PlatformCommand } from '../../platform/platform-command';

export class GateShow extends PlatformCommand {
  static override summary = 'Show one gate run';
  static override examples = ['<%= config.bin %> <%= command.id %> <gate_run_id> --json'];
  static override args = { gate_run_id: gateRunIdArgument };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(GateShow);
    const { api } = await this.platform(flags);
    const run = getGateRun(api, { gateRunId: await gateRunIdOf(api, args.gate_run_id) });
    this.show(await this.progress('Reading the gate run', run), gateRunDetails);
  }
}
