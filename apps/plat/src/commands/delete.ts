import { type EnvironmentName, namespaceOf } from '@plat/environments';
import { chooseConfiguredEnvironment, type ConfiguredEnvironment } from '../environments/chosen-environment';
import {
  type DeletedEnvironment,
  deleteEnvironment,
  type DeleteInput,
  type Deletion,
  deletionContext,
  planDelete,
} from '../environments/delete-environment';
import { drivenText, findDrives } from '../environments/driven-reviews';
import { checkedName, fullName } from '../environments/environment-choice';
import { exposureRemoval } from '../exposure/deleted-exposure';
import { interruptedPlatform } from '../platform/platform';
import { PlatformCommand } from '../platform/platform-command';
import { requeue } from '../queue/requeue';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { Args, Flags } from '../terminal/oclif';
import { prose } from '../terminal/prose';
import { ask, canAsk } from '../terminal/question';

export class Delete extends PlatformCommand {
  static override summary = 'Delete an environment, with its namespace and everything in it';
  static override description =
    prose(`Deletes the namespace with its volumes, the public names, the platform's record, the session, and what this machine keeps of the
environment. A review that it drives goes back to its queue. Asks for <tenant>-<env> to be typed, or takes --yes if the configuration names the context. If a step fails, the rest stays, and the same command
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
      const chosen = await chooseConfiguredEnvironment(configFolder, checkedName({ ...args }));
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
        requeue,
        exposure: exposureRemoval({
          ...exposed,
          aliasName: flags.alias,
          localRepoPath: config.localRepoPath,
          progress: this.progress,
        }),
        progress: this.progress,
        interrupted,
      };
      const kubernetesContext = await deletionContext(input, flags.yes && !flags['dry-run']);
      const drives = await this.progress('Looking for its drives', findDrives(input, kubernetesContext));
      const deletion = { kubernetesContext, drives };
      if (flags['dry-run']) return this.showPlan(await planDelete(input, deletion));
      const asked = { ...deletion, asks: canAsk(this.environment), interrupted };
      if (!flags.yes) await confirm(chosen.name, asked);
      const deleted = await deleteEnvironment(input, deletion);
      deleted.slotNotes?.forEach((line) => this.terminal.note(line));
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
    ...deleted.requeued.map((reviewId) => `The review ${reviewId}, which it drove, is back in its queue.`),
    ...left.map(({ channel, processId }) => `The forward ${channel} does not end: process ${processId}.`),
  ].join('\n');
}

interface Asked extends Deletion {
  asks: boolean;
  interrupted: AbortSignal;
}

/** @throws Failure NOT_CONFIRMED unless the person types the environment's full name */
async function confirm(
  name: EnvironmentName,
  { kubernetesContext: context, drives, asks, interrupted }: Asked,
): Promise<void> {
  const wanted = namespaceOf(name);
  const about = [`This deletes ${wanted} with its volumes in the context ${context}.`, drivenText(drives)];
  const question = [...about, `Type ${wanted} to go on:`].filter((text) => text !== '').join(' ');
  if (asks && (await ask(question, interrupted))?.trim() === wanted) return;
  const unconfirmed = `The deletion of ${wanted} in the context ${context} was not confirmed; nothing is deleted.`;
  const message = [unconfirmed, drivenText(drives)].join(' ').trim();
  throw new Failure('NOT_CONFIRMED', message, {
    next: nextStep('plat delete', [name.tenant], [name.environment], '--yes'),
  });
}
