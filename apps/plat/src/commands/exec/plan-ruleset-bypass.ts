import { defaultBranch, openCheckout } from '../../checkout/checkout';
import { type BypassPlan, planBypass } from '../../forge/bypass-plan';
import { openForge } from '../../forge/forge';
import { forgeFlags, forgeInput } from '../../forge/forge-flags';
import { requireBranchName } from '../../git/branches';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class PlanRulesetBypass extends PlatCommand {
  static override summary = "Plan a ruleset that only the queue's identity can bypass; writes nothing";
  static override description =
    prose(`Prints three bodies for a PUT of the ruleset. Stage 1 adds the queue's identity to the bypass list. Stage 2
leaves all others on the list only pull requests. Rollback is the ruleset as it was read. The plan is refused unless the
identity can already push, the token may read the bypass list, and the ruleset governs the target branch. The token for
the forge is gh's: its variables, or its session.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> --ruleset 42 --queue-identity acme-queue[bot] --target-branch main',
    '<%= config.bin %> <%= command.id %> --ruleset 42 --queue-identity acme-queue --json | jq .stage1 > stage1.json',
  ];
  static override flags = {
    ...forgeFlags,
    ruleset: Flags.integer({
      description: 'Id of the ruleset',
      required: true,
      min: 1,
      helpValue: '<number>',
    }),
    'queue-identity': Flags.string({
      description: 'Identity that pushes for the queue: a login, or the slug of an app and [bot]',
      required: true,
      helpValue: '<login>',
    }),
    'target-branch': Flags.string({
      description: "Branch of the queue (default: origin's own)",
      helpValue: '<branch>',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(PlanRulesetBypass);
    const targetBranch = flags['target-branch'] ?? (await defaultBranch(await openCheckout(process.cwd())));
    requireBranchName(targetBranch, '--target-branch');
    const forge = await openForge(forgeInput(this.host, flags));
    const input = { rulesetId: flags.ruleset, queueIdentity: flags['queue-identity'], targetBranch };
    const plan = await this.progress('Reading the ruleset', planBypass(forge, input));
    for (const warning of plan.warnings) this.terminal.note(warning);
    this.show(plan, planText);
  }
}

function planText({ path, stage1, stage2, rollback, currentUserCanBypass }: BypassPlan): string {
  const parts = Object.entries({ 'stage 1': stage1, 'stage 2': stage2, rollback });
  const texts = parts.map(([name, body]) => `${name}: PUT ${path}\n${JSON.stringify(body, null, 2)}`);
  const now = currentUserCanBypass && `The token's own identity may bypass now: ${currentUserCanBypass}`;
  return [...texts, ...(now ? [now] : [])].join('\n\n');
}
