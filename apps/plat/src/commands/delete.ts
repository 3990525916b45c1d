import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { type ConfiguredEnvironment, configuredEnvironment } from '../environments/chosen-environment';
import {
  type DeletedEnvironment,
  deleteEnvironment,
  type DeleteInput,
  deletionContext,
  plannedDelete,
} from '../environments/delete-environment';
import { checkedName, fullName } from '../environments/environment-choice';
import { exposureRemoval } from '../exposure/deleted-exposure';
import { interruptedPlatform } from '../session/platform';
import { PlatformCommand } from '../session/platform-command';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { Args, Flags } from '../terminal/oclif';
import { prose } from '../terminal/prose';
import { ask, canAsk } from '../terminal/question';

export class Delete extends PlatformCommand {
  static override summary = 'Delete an environment, with its namespace and everything in it';
  static override description =
    prose(`Deletes the namespace with its volumes, the public names, the platform's record, the session, and what this machine keeps of the
environment. Asks for <tenant>-<env> to be typed, or takes --yes if the configuration names the context. If a step fails, the rest stays, and the same command
completes it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev',
    '<%= config.bin %> <%= command.id %> acme dev --yes --json',
    '<%= config.bin %> <%= command.id %> acme dev --dry-run',
  ];
  static override args = {
    tenant: Args.string({ description: 'Its tenant', required: true, ignoreStdin: true }),
    environment: Args.string({ description: 'Its name', required: true, ignoreStdin: true }),
  };
  static override flags = {
    yes: Flags.boolean({ description: 'Do not ask', default: false }),
    'dry-run': Flags.boolean({ description: 'Print the steps', default: false }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Delete);
    const { configFolder, stateFolder, cacheFolder } = this.environment;
    await this.host.interruptible(async (interrupted) => {
      const chosen = await configuredEnvironment(configFolder, checkedName({ ...args }));
      const aliasName = ownAlias(chosen, flags.alias);
      const openPlatform = async (alias: string | undefined) =>
        interruptedPlatform(await this.platform({ alias }), interrupted);
      const { name, config } = chosen;
      const exposed = { environment: this.environment, name, openPlatform, interrupted };
      const input: DeleteInput = {
        chosen,
        configFolder,
        stateFolder,
        cacheFolder,
        platform: () => openPlatform(aliasName),
        exposure: exposureRemoval({
          ...exposed,
          aliasName: flags.alias,
          localRepoPath: config.localRepoPath,
          progress: this.progress,
        }),
        progress: this.progress,
        interrupted,
      };
      const context = await deletionContext(input, flags.yes && !flags['dry-run']);
      if (flags['dry-run']) return this.showPlan(await plannedDelete(input, context));
      const asked = { context, asks: canAsk(this.environment), interrupted };
      if (!flags.yes) await confirm(chosen.name, asked);
      const deleted = await deleteEnvironment(input, context);
      if (deleted.exposureNote !== undefined) this.terminal.note(deleted.exposureNote);
      this.show(deleted, deletedText);
    });
  }
}

/** @throws Failure OTHER_ALIAS: another platform's 404 would count as a record that is gone */
function ownAlias({ name, config }: ConfiguredEnvironment, given: string | undefined): string | undefined {
  if (given === undefined || config.alias === undefined || given === config.alias) {
    return config.alias ?? given;
  }
  const message = `${fullName(name)} is an environment of the alias ${config.alias}, not ${given}; nothing is deleted.`;
  throw new Failure('OTHER_ALIAS', message, {
    next: nextStep('repeat the command with --alias', [config.alias]),
  });
}

function deletedText(deleted: DeletedEnvironment): string {
  const { tenant, environment, namespace, kubernetesContext: context, namespaceFound, recordNote } = deleted;
  const left = deleted.forwards.filter(({ ended }) => !ended);
  return [
    namespaceFound
      ? `The environment ${tenant} ${environment} is deleted, with its namespace ${namespace} in ${context}.`
      : `The environment ${tenant} ${environment} is deleted. The context ${context} had no namespace ${namespace}.`,
    ...(recordNote === undefined ? [] : [recordNote]),
    ...left.map(({ channel, processId }) => `The forward ${channel} does not end: process ${processId}.`),
  ].join('\n');
}

interface Asked {
  context: string;
  asks: boolean;
  interrupted: AbortSignal;
}

/** @throws Failure NOT_CONFIRMED unless the person types the environment's full name */
async function confirm(name: EnvironmentName, { context, asks, interrupted }: Asked): Promise<void> {
  const wanted = namespaceOf(name);
  const question = `This deletes ${wanted} with its volumes in the context ${context}. Type ${wanted} to go on:`;
  if (asks && (await ask(question, interrupted))?.trim() === wanted) return;
  const message = `The deletion of ${wanted} in the context ${context} was not confirmed; nothing is deleted.`;
  throw new Failure('NOT_CONFIRMED', message, {
    next: nextStep('plat delete', [name.tenant], [name.environment], '--yes'),
  });
}
