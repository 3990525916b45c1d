import { writeStopped } from '../config/stopped';
import { environmentArgs, findConfiguredEnvironment } from '../environments/chosen-environment';
import { openRuntime, requireDeployment, scaleArgs } from '../environments/runtime-deployment';
import { planStops, stopForwards } from '../forwards/stop-forwards';
import { Flags } from '../terminal/oclif';
import { PlatCommand } from '../terminal/plat-command';
import { shellQuote } from '../terminal/shell-quote';

export class Stop extends PlatCommand {
  static override summary = 'Stop an environment: its pod and its forwards end, its volumes stay';
  static override description = 'plat open starts it again. A deploy leaves a stopped environment stopped.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --json',
    '<%= config.bin %> <%= command.id %> dev --dry-run',
  ];
  static override args = environmentArgs;
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Check that it is deployed, print the steps' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Stop);
    const { configFolder, cacheFolder } = this.environment;
    await this.host.interruptible(async (interrupted) => {
      const chosen = await findConfiguredEnvironment(this.environment, args);
      chosen.warnings.forEach((line) => this.terminal.note(line));
      const place = await openRuntime(chosen, interrupted);
      const { name, names, kubernetesContext, cluster } = place;
      const { replicas } = await this.progress('Asking the cluster', requireDeployment(place));
      const scale = scaleArgs(names, 0);
      if (flags['dry-run']) {
        const forwards = await planStops({ configFolder, name });
        return this.showPlan([shellQuote(cluster.kubectl.argv(scale)), 'stopped: true', ...forwards]);
      }
      await this.progress(`Stopping ${names.release}`, cluster.kubectl.run(scale));
      await writeStopped(configFolder, name, true);
      const forwards = await this.progress(
        'Ending its forwards',
        stopForwards({ configFolder, name }, cacheFolder),
      );
      const wasRunning = replicas > 0;
      const { namespace } = names;
      const stopped = { ...name, namespace, kubernetesContext, stopped: true, wasRunning, forwards };
      this.show(stopped, ({ tenant, environment }) =>
        wasRunning
          ? `The environment ${tenant} ${environment} is stopped.`
          : `The environment ${tenant} ${environment} was stopped already.`,
      );
    });
  }
}
