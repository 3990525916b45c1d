import { writeStopped } from '../config/stopped';
import { environmentArgs, findConfiguredEnvironment } from '../environments/chosen-environment';
import { type ForwardSource, forwardsToOpen } from '../environments/environment-forwards';
import { handMcpToken, type McpAccess, plannedMcpToken } from '../environments/mcp-access';
import { wake } from '../environments/open-runtime';
import { podShell, shellArgv } from '../environments/pod-shell';
import { READY_SECONDS_MAX } from '../environments/pod-wait';
import { requirePorts } from '../environments/port-allocation';
import {
  openRuntime,
  requireDeployment,
  type RuntimePlace,
  scaleArgs,
} from '../environments/runtime-deployment';
import { type OpenedForwards, openForwards } from '../forwards/open-forwards';
import { planForwards } from '../forwards/planned-forwards';
import { Flags } from '../terminal/oclif';
import { wantsJson } from '../terminal/output-mode';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';
import { canAsk } from '../terminal/question';
import { shellQuote } from '../terminal/shell-quote';

export class Open extends PlatCommand {
  static override summary =
    'Open an environment: start it if it is stopped, its forwards, and a shell in its pod';
  static override description =
    prose(`Waits until the pod can be reached, and shows each new reason for which it cannot. The wait
ends early for a wrong image, a missing secret or repeated crashes, and not for lack of room. It then starts what is missing of its forwards from 127.0.0.1 to MCP, SSH and
the API, if it has one; one that fails is a warning. The token that callers of its MCP server send is written to a file that only you
may read, and is named. The shell opens if the command runs on a terminal, without --no-shell and --json.
Without names it is the environment of this folder, or the default one.`);
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
    const opensShell = flags.shell && !wantsJson(this.argv) && canAsk(environment);
    const chosen = await findConfiguredEnvironment(environment, args);
    chosen.warnings.forEach((line) => this.terminal.note(line));
    const ports = await requirePorts(environment.configFolder, chosen.name);
    const place = await this.host.interruptible(async (interrupted) => {
      const source = { environment, clientRoot: this.config.root, chosen, ports, interrupted };
      const runtime = await openRuntime(chosen, interrupted);
      if (flags['dry-run']) {
        const shell = opensShell ? [shellQuote(shellArgv(runtime, environment))] : [];
        this.showPlan([...(await plan(source, runtime)), ...shell]);
        return undefined;
      }
      await this.openChannels(source, runtime);
      return runtime;
    });
    if (place !== undefined && opensShell) await podShell(place, environment);
  }

  /** Opens it, and shows what became of it. */
  private async openChannels(source: ForwardSource, place: RuntimePlace): Promise<void> {
    const { environment, chosen } = source;
    const { kubernetesContext, names } = place;
    const started = await wake(place, {
      progress: this.progress,
      show: (line) => this.terminal.note(line),
      unmark: async () => {
        if (chosen.config.stopped === true) await writeStopped(environment.configFolder, chosen.name, false);
      },
    });
    const forwards = openForwards(await forwardsToOpen(source, place));
    const { channels, warnings } = await this.progress('Opening the forwards', forwards);
    warnings.forEach((line) => this.terminal.note(line));
    const mcp = await this.mcpAccess(source, { place, channels });
    const opened = { ...chosen.name, namespace: names.namespace, kubernetesContext, started, channels, mcp };
    this.show(opened, () =>
      [
        `The environment ${names.namespace} runs${started ? ' again' : ''}.`,
        ...ends(channels),
        ...(mcp === undefined ? [] : [`MCP: ${mcp.url}, with the bearer token in ${mcp.tokenPath}`]),
      ].join('\n'),
    );
  }

  /**
   * Undefined without a forward to MCP, because another program may have its port and would get the token; and if the
   * token cannot be had, which is a warning.
   */
  private async mcpAccess(
    source: ForwardSource,
    { place, channels }: { place: RuntimePlace; channels: OpenedForwards['channels'] },
  ): Promise<McpAccess | undefined> {
    if (channels.mcp === undefined || channels.mcp.outcome === 'failed') return undefined;
    const { configFolder } = source.environment;
    const access = await handMcpToken({ configFolder, port: source.ports.mcp }, place);
    if (typeof access !== 'string') return access;
    this.terminal.note(access);
    return undefined;
  }
}

/** The local ends that a person can use. */
function ends(channels: OpenedForwards['channels']): string[] {
  return Object.entries(channels).flatMap(([channel, { outcome, localPort }]) =>
    outcome === 'failed' ? [] : [`Forward ${channel}: 127.0.0.1:${localPort} (${outcome})`],
  );
}

/** The steps that would change something. Rule G2. */
async function plan(source: ForwardSource, place: RuntimePlace): Promise<string[]> {
  const { kubectl } = place.cluster;
  const { replicas, available } = await requireDeployment(place);
  return [
    ...(replicas === 0 ? [shellQuote(kubectl.argv(scaleArgs(place.names, 1)))] : []),
    ...(available === 0
      ? [`wait for the pod of ${place.names.release}, at most ${READY_SECONDS_MAX} s`]
      : []),
    ...(source.chosen.config.stopped === true ? ['stopped: removed'] : []),
    ...(await planForwards(await forwardsToOpen(source, place))),
    ...(source.chosen.config.mcpEnabled === false
      ? []
      : [plannedMcpToken(source.environment.configFolder, place)]),
  ];
}
