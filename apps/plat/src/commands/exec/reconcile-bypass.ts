import { defaultBranch, openCheckout } from '../../checkout/checkout';
import { openForge } from '../../forge/forge';
import { forgeFlags, forgeInput } from '../../forge/forge-flags';
import { reconcileBypass } from '../../forge/reconcile-bypass';
import { reconciliationTable } from '../../forge/reconciliation-view';
import { LEDGER_PERIODS } from '../../forge/rule-suites';
import { requireBranchName } from '../../git/branches';
import { PlatformCommand } from '../../platform/platform-command';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class ReconcileBypass extends PlatformCommand {
  static override summary = "Account for every push that bypassed the target branch's rules";
  static override description =
    prose(`Reads the forge's ledger of rule suites. RECONCILED: a PASSED gate run built one of the pushed commits.
RELEASE: a tag points at one. UNEXPECTED_ACTOR: the bypass was by an identity other than --expected-actor. UNRECONCILED:
nothing accounts for the push. The exit code is 1 if the report contains either of the last two. The token for the forge
is gh's: its variables, or its session.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --expected-actor acme-queue[bot] --target-branch main',
    '<%= config.bin %> <%= command.id %> --expected-actor acme-queue --expected-actor releaser --period month --json',
  ];
  static override flags = {
    ...forgeFlags,
    'expected-actor': Flags.string({
      description: 'Login of an identity that may bypass (repeatable)',
      required: true,
      multiple: true,
      helpValue: '<login>',
    }),
    'target-branch': Flags.string({
      description: "Branch of the queue (default: origin's own)",
      helpValue: '<branch>',
    }),
    period: Flags.option({
      options: LEDGER_PERIODS,
      description: 'Period to report',
      default: 'day',
    })(),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(ReconcileBypass);
    const { api } = await this.platform(flags);
    const targetBranch = flags['target-branch'] ?? (await defaultBranch(await openCheckout(process.cwd())));
    requireBranchName(targetBranch, '--target-branch');
    const forge = await openForge(forgeInput(this.host, flags));
    const input = { targetBranch, period: flags.period, expectedActors: flags['expected-actor'] };
    const report = await this.progress('Reading the ledger', reconcileBypass(forge, api, input));
    if (!report.reconciled) this.host.fail();
    this.show(report, reconciliationTable);
  }
}
