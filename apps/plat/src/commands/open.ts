import { writeStopped } from '../config/stopped';
import { chosenEnvironment, environmentArgs } from '../environments/chosen-environment';
import { waitArgs, wake } from '../environments/open-runtime';
import { podShell, shellArgv } from '../environments/pod-shell';
import { requirePorts } from '../environments/port-allocation';
import {
  openRuntime,
  requireDeployment,
  type RuntimePlace,
  scaleArgs,
} from '../environments/runtime-deployment';
import { type Channels, openForwards } from '../forwards/open-forwards';
import { plannedSteps } from '../forwards/planned-steps';
import { Flags } from '../terminal/oclif';
import { wantsJson } from '../terminal/output-mode';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';
import { canAsk } from '../terminal/question';
import { shellQuote } from '../terminal/shell-quote';

export class Open extends PlatCommand {
  static override summary = 'Open an environment: start it if it is stopped, and a shell in its pod';
  static override description =
    prose(`Waits until the pod can be reached. The shell opens if the command runs on a terminal, without --no-shell and
--json. Without names it is the environment of this folder, or the default one.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> acme dev --no-shell --json',
    '<%= config.bin %> <%= command.id %> dev --dry-run',
  ];
  static override args = environmentArgs;
  static override flags = {
    shell: Flags.boolean({ description: 'Open a shell in the pod', allowNo: true, default: true }),
    'dry-run': Flags.boolean({ description: 'Check that it is deployed, print the steps' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Open);
    const { environment } = this;
    const { configFolder } = environment;
    const opensShell = flags.shell && !wantsJson(this.argv) && canAsk(environment);
    const chosen = await chosenEnvironment(environment, args);
    chosen.warnings.forEach((line) => this.terminal.note(line));
    const ports = await requirePorts(configFolder, chosen.name);
    const isMarked = chosen.config.stopped === true;
    const place = await this.host.interruptible(async (interrupted) => {
      const runtime = await openRuntime(chosen, interrupted);
      if (flags['dry-run']) {
        const shell = opensShell ? [shellQuote(shellArgv(runtime, environment))] : [];
        const { kubernetesContext } = runtime;
        const forwards = await plannedSteps(
          { ...chosen, configFolder, kubernetesContext, ports },
          this.config.root,
        );
        this.showPlan([...(await plan(runtime, isMarked)), ...forwards, ...shell]);
        return undefined;
      }
      const started = await wake(runtime, this.progress, async () => {
        if (isMarked) await writeStopped(configFolder, chosen.name, false);
      });
      const { kubernetesContext, names, cluster } = runtime;
      const ofEnvironment = { ...chosen, configFolder, kubernetesContext, ports };
      const surroundings = { environment, clientRoot: this.config.root, kubectl: cluster.kubectl };
      const channels = await this.progress('Opening its forwards', openForwards(ofEnvironment, surroundings));
      for (const { message } of Object.values(channels)) {
        if (message !== undefined) this.terminal.note(`Warning: ${message}.`);
      }
      const opened = { ...chosen.name, namespace: names.namespace, kubernetesContext, started, channels };
      this.show(opened, () => openedText(opened));
      return runtime;
    });
    if (place !== undefined && opensShell) await podShell(place, environment);
  }
}

interface Opened {
  namespace: string;
  started: boolean;
  channels: Channels;
}

function openedText({ namespace, started, channels }: Opened): string {
  const forwards = Object.entries(channels).flatMap(([channel, { outcome, localPort }]) =>
    outcome === 'failed' ? [] : [`${channel} 127.0.0.1:${localPort}`],
  );
  return [`The environment ${namespace} runs${started ? ' again' : ''}.`, ...forwards].join('\n');
}

/** The steps that would change something. Decision G2. */
async function plan(place: RuntimePlace, isMarked: boolean): Promise<string[]> {
  const { kubectl } = place.cluster;
  const { replicas, available } = await requireDeployment(place);
  return [
    ...(replicas === 0 ? [shellQuote(kubectl.argv(scaleArgs(place.names, 1)))] : []),
    ...(available === 0 ? [shellQuote(kubectl.argv(waitArgs(place)))] : []),
    ...(isMarked ? ['stopped: removed'] : []),
  ];
}
