import { exposedArgs, exposureFlags } from '../exposure/exposure-flags';
import { UNCONFIGURED } from '../exposure/project-platform';
import { plannedUnexpose, prepareUnexpose, unexpose, unexposeResult } from '../exposure/unexpose';
import { interruptedPlatform } from '../session/platform';
import { PlatformCommand } from '../session/platform-command';
import { wantsJson } from '../terminal/output-mode';
import { prose } from '../terminal/prose';

export class Unexpose extends PlatformCommand {
  static override summary = "Remove an environment's public names";
  static override description =
    prose(`Removes the record *.<tenant>-<env>.<services zone>, by the platform's API where an alias is configured and
otherwise in the platform's DNS deployment with kubectl. Nothing else is removed: an ingress goes with its namespace. A
record that is not there is no failure.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev',
    '<%= config.bin %> <%= command.id %> acme dev --dry-run',
  ];
  static override args = exposedArgs;
  static override flags = exposureFlags;

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
      this.show(await unexpose(prepared, this.progress), ({ wildcardName }) => `${wildcardName} is removed.`);
    });
  }

  private showNothing(): void {
    if (wantsJson(this.argv)) this.terminal.json({ skipped: true, reason: UNCONFIGURED });
    else this.terminal.note(`Nothing is removed: ${UNCONFIGURED}.`);
  }
}
