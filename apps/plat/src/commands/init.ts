import { defined } from '@plat/contracts/core';
import { deployEnvironment, type DeployResult, listDeployCommands } from '../deploy/deploy';
import {
  type FoundIdentity,
  type GitIdentity,
  identityText,
  parseCredential,
  parseIdentity,
} from '../environments/git-identity';
import { initEnvironment, type InitSteps } from '../environments/init';
import {
  changeText,
  type FieldChange,
  type InitFields,
  parseRegistryRoles,
} from '../environments/init-changes';
import { initFlags } from '../environments/init-flags';
import { type InitPlan, type InitRequest, planInit } from '../environments/init-plan';
import { initNotes, initPlanLines, initText } from '../environments/init-view';
import { register } from '../environments/registration';
import { interruptedPlatform } from '../platform/platform';
import { PlatformCommand } from '../platform/platform-command';
import { provisionSession } from '../session/provision-session';
import { promptLines } from '../session/sign-in';
import { Failure } from '../terminal/failure';
import { Args } from '../terminal/oclif';
import { prose } from '../terminal/prose';
import { ask, askYesNo, canAsk } from '../terminal/question';

export class Init extends PlatformCommand {
  static override summary = 'Make an environment: its configuration, session, registration and pod';
  static override description =
    prose(`Checks names, context and values first. Then it writes the configuration with the lowest free block of ports,
provisions the signed-in alias of this machine, registers the environment on the platform, and deploys it. For an
environment that exists, what is given changes and the rest stays; the same command also mends one whose init was stopped.

The session of the environment is one of its own. If the identity provider cannot give it out by itself, you confirm it on
a web page. Without an alias, or signed out, the environment is made without a session.

Commits in the pod are by whom --git-identity names; otherwise by the signed-in user, or as git names you here, which is
shown and asked. --git-credential names what the pod signs in to the remote with: plat deploy makes a Secret of it.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> acme dev',
    '<%= config.bin %> <%= command.id %> acme dev --repo-url https://git.example.com/acme/shop.git --mutable-source',
    '<%= config.bin %> <%= command.id %> acme dev --container-registry registry.example.com/acme=build,deploy --yes',
    "<%= config.bin %> <%= command.id %> acme dev --git-identity 'Alice Doe <alice@example.com>' --git-credential ssh-key=/home/alice/.ssh/shop",
    '<%= config.bin %> <%= command.id %> acme dev --no-deploy --dry-run',
  ];
  static override args = {
    tenant: Args.string({ description: 'Its tenant', required: true, ignoreStdin: true }),
    environment: Args.string({ description: 'Its name', required: true, ignoreStdin: true }),
  };
  static override flags = initFlags;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Init);
    const { configFolder } = this.environment;
    const given: InitFields = {
      type: flags.type,
      kubernetesContext: flags['kubernetes-context'],
      repoUrl: flags['repo-url'],
      mutableSource: flags['mutable-source'],
      runtimeVersion: flags['runtime-version'],
      runtimeImage: flags['runtime-image'],
      containerRegistries: flags['container-registry']?.map(parseRegistryRoles),
      alias: flags.alias,
      git: gitOf(flags),
    };
    const request = { configFolder, name: { ...args }, folder: process.cwd(), given };
    await this.host.interruptible(async (interrupted) => {
      if (flags['dry-run']) return this.plan(request, flags.deploy, interrupted);
      const steps = this.steps(flags, interrupted);
      const { 'set-default': setDefault, 'renew-session': renewSession } = flags;
      const result = await initEnvironment({ ...request, setDefault, renewSession, interrupted, steps });
      this.show(result, initText);
    });
  }

  private async plan(request: InitRequest, deploys: boolean, interrupted: AbortSignal): Promise<void> {
    const plan = await planInit(request, interrupted);
    plan.warnings.forEach((line) => this.terminal.note(line));
    const planned = deploys ? await listDeployCommands(this.deployOf(plan, interrupted)) : [];
    this.showPlan([...initPlanLines(request, plan), ...planned]);
  }

  private deployOf({ name, config }: InitPlan, interrupted: AbortSignal) {
    const { environment, config: client } = this;
    return { environment, client, name, config, interrupted };
  }

  private steps(flags: InitSwitches, interrupted: AbortSignal): InitSteps<DeployResult> {
    const { environment } = this;
    const { configFolder } = environment;
    const asks = canAsk(environment);
    const note = (line: string) => this.terminal.note(line);
    return {
      warn: note,
      identity: (found) => agreeIdentity(found, { yes: flags.yes, asks, interrupted }),
      agree: (changes) => agree(changes, { yes: flags.yes, asks, interrupted }),
      session: ({ name, alias }) =>
        provisionSession({
          configFolder,
          name,
          alias: alias!,
          renew: flags['renew-session'],
          show: asks ? (prompt) => promptLines(prompt).forEach(note) : undefined,
          interrupted,
          waiting: (pid) => note(`Waiting for the process ${pid}, which provisions the same session …`),
        }),
      register: async (plan: InitPlan) => {
        const platform = interruptedPlatform(await this.platform({ alias: plan.alias?.name }), interrupted);
        return this.progress('Registering the environment', register(platform, plan.name, plan.config));
      },
      report: (outcome) => initNotes(outcome).forEach(note),
      deploy: flags.deploy
        ? (plan) => deployEnvironment({ ...this.deployOf(plan, interrupted), progress: this.progress, note })
        : undefined,
    };
  }
}

interface InitSwitches {
  yes: boolean;
  deploy: boolean;
  'renew-session': boolean;
}

/** @throws Failure INVALID_IDENTITY, INVALID_CREDENTIAL */
function gitOf(flags: { 'git-identity'?: string; 'git-credential'?: string }): InitFields['git'] {
  const { 'git-identity': identity, 'git-credential': credential } = flags;
  if (identity === undefined && credential === undefined) return undefined;
  const person = identity === undefined ? undefined : parseIdentity(identity);
  const way = credential === undefined ? undefined : parseCredential(credential);
  return defined({ name: person?.name, email: person?.email, credential: way });
}

/** Without a person who could be asked, what was found counts; the result shows it. */
async function agreeIdentity(
  found: FoundIdentity,
  { yes, asks, interrupted }: Asking,
): Promise<GitIdentity | undefined> {
  if (yes || !asks) return found;
  const shown = `${found.from} says that you are ${identityText(found)}. Do the commits of the pod name you so?`;
  if (await askYesNo(shown, interrupted)) return found;
  const text = await ask("Who commits there, as 'Name <address>'? Empty: no one yet.", interrupted);
  return (text ?? '').trim() === '' ? undefined : parseIdentity(text ?? '');
}

interface Asking {
  yes: boolean;
  asks: boolean;
  interrupted: AbortSignal;
}

/** @throws Failure OVERWRITE_REFUSED unless the person agrees, or has agreed with --yes */
async function agree(changes: readonly FieldChange[], { yes, asks, interrupted }: Asking): Promise<void> {
  const text = changes.map(changeText).join('; ');
  if (yes || (asks && (await askYesNo(`The environment exists. Change ${text}?`, interrupted)))) return;
  throw new Failure('OVERWRITE_REFUSED', `The environment exists with other values: ${text}.`, {
    details: { changes },
    next: 'repeat the command with --yes to change them',
  });
}
