import { type EnvironmentName, IN_CLUSTER } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import { ownEnvironment } from '../config/environment-folder';
import { chooseConfiguredEnvironment, chooseName, environmentArgs } from '../environments/chosen-environment';
import { type IdleStatus, idleStatus, markerTable, stopSentence } from '../idle/idle-status';
import { remoteIdle } from '../idle/remote-idle';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';

export class Idle extends PlatCommand {
  static override summary = 'Show whether an environment is idle, and why it does or does not stop';
  static override description =
    prose(`In a pod without names: that of the pod. Elsewhere the pod of the environment is asked, by kubectl.
Changes nothing, and counts as no activity.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --json',
  ];
  static override args = environmentArgs;

  override async run(): Promise<void> {
    const { args } = await this.parse(Idle);
    const own = ownEnvironment(this.environment);
    const named = await chooseName(this.environment, args);
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

  private async elsewhere(name: EnvironmentName): Promise<IdleStatus> {
    return this.host.interruptible(async (interrupted) => {
      const chosen = await chooseConfiguredEnvironment(this.environment.configFolder, name);
      chosen.warnings.forEach((line) => this.terminal.note(line));
      const { status, said } = await this.progress('Asking the pod', remoteIdle(chosen, interrupted));
      if (said !== '') this.terminal.note(said);
      return status;
    });
  }
}
