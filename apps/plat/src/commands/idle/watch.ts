import { namespaceOf, runtimeNames } from '@plat/environments';
import { contractVariables } from '../../config/contract-variables';
import { ownEnvironment, requireEnvironmentFolder } from '../../config/environment-folder';
import { ownCluster } from '../../idle/cluster-api';
import { readIdleRecord, writeIdleRecord } from '../../idle/idle-record';
import { lookTimes } from '../../idle/next-look';
import { ownPolicy } from '../../idle/own-policy';
import { readPod, SYSTEM_FOLDERS } from '../../idle/read-pod';
import { stopDeployment } from '../../idle/stop-deployment';
import { warnTerminals } from '../../idle/warn-terminals';
import { watchIdle } from '../../idle/watch-idle';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class IdleWatch extends PlatCommand {
  static override summary = 'Stop this environment when it is idle: what runs in its pod';
  static override description =
    prose(`Looks every 10 seconds at terminals, leases, jobs and traffic, and when a terminal is opened or closed. Warns the shells, and scales the pod's own
Deployment to 0, which only an environment with PLAT_CLOUD_ENVIRONMENT does.`);
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  override async run(): Promise<void> {
    await this.parse(IdleWatch);
    const { environment } = this;
    const folder = requireEnvironmentFolder(environment);
    const { policy, shown } = ownPolicy(environment);
    const deployment = this.deployment();
    const note = (line: string) => this.terminal.note(line);
    const cluster = () => ownCluster(environment.variables);
    // Refused at the start, not at the first stop.
    if (policy.isManaged) cluster();
    note(`Watching for ${shown.timeout} without use.`);
    await this.host.interruptible((interrupted) =>
      watchIdle({
        policy,
        timeout: shown.timeout,
        read: () => readPod(environment),
        record: { read: () => readIdleRecord(folder), write: (record) => writeIdleRecord(folder, record) },
        warn: warnTerminals,
        stop: async (reason, at) => stopDeployment(cluster(), deployment, { reason, at }),
        pause: lookTimes(SYSTEM_FOLDERS.terminals, { interrupted }),
        interrupted,
        note,
      }),
    );
  }

  private deployment() {
    const name = ownEnvironment(this.environment) ?? { tenant: '', environment: '' };
    const { PLAT_NAMESPACE: namespace = namespaceOf(name) } = contractVariables(this.environment, [
      'PLAT_NAMESPACE',
    ]);
    return { namespace, name: runtimeNames(name).release };
  }
}
