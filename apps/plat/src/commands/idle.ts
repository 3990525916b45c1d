import { type EnvironmentName, IN_CLUSTER } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import { ownEnvironment } from '../config/environment-folder';
import { type IdleStatus, idleStatus, markerTable, stopSentence } from '../idle/idle-status';
import { remoteIdle } from '../idle/remote-idle';
import { Failure } from '../terminal/failure';
import { Args } from '../terminal/oclif';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';

export class Idle extends PlatCommand {
  static override summary = 'Show whether an environment is idle, and why it does or does not stop';
  static override description =
    prose(`In a pod without names: that of the pod. Elsewhere the pod of the named environment is asked, by kubectl.
Changes nothing, and counts as no activity.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --json',
  ];
  static override args = {
    tenant: Args.string({ description: 'Name of the tenant', ignoreStdin: true }),
    environment: Args.string({ description: 'Name of the environment', ignoreStdin: true }),
  };

  override async run(): Promise<void> {
    const { args } = await this.parse(Idle);
    const own = ownEnvironment(this.environment);
    const named = namedEnvironment(args) ?? own;
    if (named === undefined) throw nothingNamed();
    const isOwn = named.tenant === own?.tenant && named.environment === own.environment;
    const status = isOwn && this.isPod() ? await this.here() : await this.elsewhere(named);
    this.show(status, markerTable);
    if (!this.environment.idleProbe) this.terminal.note(stopSentence(status));
  }

  /** On another machine the variables name an environment, too. */
  private isPod(): boolean {
    const name = 'PLAT_KUBERNETES_CONTEXT';
    return contractVariables(this.environment, [name])[name] === IN_CLUSTER;
  }

  private async here(): Promise<IdleStatus> {
    const { status, isWatched } = await idleStatus(this.environment);
    if (!isWatched) {
      this.terminal.note(
        'plat idle watch does not run here, so past input, leases, jobs and traffic are unknown.',
      );
    }
    return status;
  }

  private async elsewhere(named: EnvironmentName): Promise<IdleStatus> {
    const asked = remoteIdle(this.environment.configFolder, named);
    const { status, said } = await this.progress('Asking the pod', asked);
    if (said !== '') this.terminal.note(said);
    return status;
  }
}

function nothingNamed(): Failure {
  return new Failure('NO_ENVIRONMENT', 'This is no pod, and no environment is named.', {
    next: 'plat idle <tenant> <env>',
  });
}

/** @throws Failure USAGE for a tenant without an environment */
function namedEnvironment({ tenant, environment }: Partial<EnvironmentName>): EnvironmentName | undefined {
  if (tenant === undefined) return undefined;
  if (environment !== undefined) return { tenant, environment };
  throw new Failure('USAGE', 'plat idle takes a tenant and an environment, or neither.', {
    next: 'plat idle <tenant> <env>',
  });
}
