import { deployEnvironment, type DeployResult, listDeployCommands } from '../deploy/deploy';
import { openDeploy } from '../deploy/open-deploy';
import { Args, Flags } from '../terminal/oclif';
import { PlatCommand } from '../terminal/plat-command';
import { prose } from '../terminal/prose';

export class Deploy extends PlatCommand {
  static override summary = "Deploy an environment's runtime into its cluster";
  static override description =
    prose(`Writes the namespace and the environment's secrets with kubectl, and the runtime chart of this client with
helm. Secrets go through stdin only: the session that plat init has provisioned, the credential of the gateway (gateway.tokenFile
or gateway.tokenCommand of your configuration), and docker's sign-in at the image's registry. Run it again after any
failure, and after each change of the configuration. It does not wait for the pod. A namespace that exists is used only if it
has the label of this environment, or if a deploy of this machine has made it: whoever has made another may read what is
written there. --accept-namespace uses it all the same, now and later.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev',
    '<%= config.bin %> <%= command.id %> acme dev --runtime-version 1.2.3 --json',
    '<%= config.bin %> <%= command.id %> acme dev --dry-run',
  ];
  static override args = {
    tenant: Args.string({ description: 'Name of the tenant', required: true, ignoreStdin: true }),
    environment: Args.string({ description: 'Name of the environment', required: true, ignoreStdin: true }),
  };
  static override flags = {
    'runtime-version': Flags.string({
      description: 'Release to deploy; it is kept in the configuration',
      helpValue: '<version>',
    }),
    'accept-namespace': Flags.boolean({
      description: 'Use a namespace that exists, though no deploy of this machine has made it',
    }),
    'dry-run': Flags.boolean({
      description: 'Print the commands and their input, without a secret; touch nothing',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Deploy);
    const { environment, terminal, progress } = this;
    const opened = await openDeploy(environment.configFolder, args, flags['runtime-version']);
    for (const warning of opened.warnings) terminal.note(warning);
    await this.host.interruptible(async (interrupted) => {
      const client = { root: this.config.root, version: this.config.version };
      const request = { environment, client, name: args, config: opened.config, interrupted };
      if (flags['dry-run']) return this.showPlan(await listDeployCommands(request));
      const note = (line: string) => terminal.note(line);
      // Before the deploy: if it is killed after helm, the next one would take the version back.
      await opened.keepVersion();
      const result = await deployEnvironment({
        ...request,
        acceptNamespace: flags['accept-namespace'],
        progress,
        note,
      });
      this.show(result, describe);
    });
  }
}

function describe(result: DeployResult): string {
  const { tenant, environment, namespace, release, image, replicas, kubernetesContext } = result;
  const state =
    replicas === 0
      ? 'It is stopped: its pod does not run.'
      : `The cluster starts its pod; plat open ${tenant} ${environment} waits for it.`;
  return `${release} is deployed in ${namespace} (${kubernetesContext}) with ${image}. ${state}`;
}
