import type { EnvironmentName } from '@plat/environments';
import { readConfiguredNames } from '../config/config-scope';
import { fullName, notConfigured } from '../environments/environment-choice';
import { exposedArgs, exposureFlags } from '../exposure/exposure-flags';
import { UNCONFIGURED } from '../exposure/project-platform';
import { plannedUnexpose, prepareUnexpose, unexpose, unexposeResult } from '../exposure/unexpose';
import { interruptedPlatform } from '../platform/platform';
import { PlatformCommand } from '../platform/platform-command';
import { nextStep } from '../terminal/next-step';
import { Flags } from '../terminal/oclif';
import { wantsJson } from '../terminal/output-mode';
import { prose } from '../terminal/prose';
import { askYesNo, canAsk } from '../terminal/question';

export class Unexpose extends PlatformCommand {
  static override summary = "Remove an environment's public names";
  static override description =
    prose(`Removes the record *.<tenant>-<env>.<services zone>, by the platform's API where an alias is configured and
otherwise in the platform's DNS deployment with kubectl. Nothing else is removed: an ingress goes with its namespace. A
record that is not there is no failure. An environment that is not configured may be misspelt, so the command asks, or takes --yes.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev',
    '<%= config.bin %> <%= command.id %> acme dev --dry-run',
  ];
  static override args = exposedArgs;
  static override flags = {
    ...exposureFlags,
    yes: Flags.boolean({ description: 'Do not ask about an environment that is not configured' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Unexpose);
    await this.host.interruptible(async (interrupted) => {
      const prepared = await prepareUnexpose({
        environment: this.environment,
        folder: process.cwd(),
        name: { ...args },
        overrides: {
          servicesZone: flags['services-zone'],
          platformNamespace: flags['platform-namespace'],
        },
        skipIfUnconfigured: flags['skip-if-unconfigured'] ?? false,
        aliasName: flags.alias,
        openPlatform: async (alias) => interruptedPlatform(await this.platform({ alias }), interrupted),
        interrupted,
      });
      if (prepared === undefined) return this.showNothing();
      if (flags['dry-run']) {
        const planned = {
          dryRun: true,
          plan: plannedUnexpose(prepared),
          ...unexposeResult(prepared.plan),
        };
        return this.show(planned, ({ plan, wildcardName, platformNamespace }) =>
          [...plan, `wildcard: ${wildcardName}`, `platform namespace: ${platformNamespace}`].join('\n'),
        );
      }
      if (flags.yes !== true) await this.confirm(args, prepared.plan.wildcardName, interrupted);
      this.show(await unexpose(prepared, this.progress), ({ wildcardName }) => `${wildcardName} is removed.`);
    });
  }

  /** @throws Failure NOT_CONFIGURED unless the environment is configured, or the person agrees */
  private async confirm(
    name: EnvironmentName,
    wildcardName: string,
    interrupted: AbortSignal,
  ): Promise<void> {
    const { environments } = await readConfiguredNames(this.environment.configFolder);
    if (environments.some((one) => fullName(one) === fullName(name))) return;
    const refusal = notConfigured(name, environments, nextStep('repeat the command with --yes'));
    const question = `${refusal.message} Remove ${wildcardName}?`;
    if (canAsk(this.environment) && (await askYesNo(question, interrupted))) return;
    throw refusal;
  }

  private showNothing(): void {
    if (wantsJson(this.argv)) this.terminal.json({ skipped: true, reason: UNCONFIGURED });
    else this.terminal.note(`Nothing is removed: ${UNCONFIGURED}.`);
  }
}
