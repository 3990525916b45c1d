import type { EnvironmentName, KubectlStep } from '@plat/environments';
import { openCluster } from '../cluster/cluster';
import { expectContext } from '../cluster/contexts';
import { readEnvConfig } from '../config/config-check';
import { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';

/**
 * The context of the platform's own environment. Spec: Client, plat expose, rule 1.
 *
 * @returns undefined if its configuration cannot be loaded or names none: the current context is used
 * @throws Failure CONTEXT_NOT_FOUND, and others of kubectl
 */
export async function platformContext(
  configFolder: string,
  platform: EnvironmentName,
  interrupted: AbortSignal,
): Promise<string | undefined> {
  const context = await configuredContext(configFolder, platform);
  return context === undefined ? undefined : expectContext(context, interrupted);
}

/** Runs one step of a plan. @throws Failure those of kubectl */
export async function runStep(
  { context, namespace, args }: KubectlStep,
  call: { input?: string; secrets?: readonly string[]; interrupted: AbortSignal },
): Promise<void> {
  const { interrupted, ...rest } = call;
  await openCluster({ context, namespace }, interrupted).kubectl.run(args, rest);
}

/** The whole command of a step, as `--dry-run` prints it. @param stdin what it reads */
export function stepLine({ context, namespace, args }: KubectlStep, stdin?: string): string {
  const line = shellQuote(openCluster({ context, namespace }).kubectl.argv(args));
  return stdin === undefined ? line : `${line} # stdin: ${stdin}`;
}

async function configuredContext(
  configFolder: string,
  platform: EnvironmentName,
): Promise<string | undefined> {
  try {
    return (await readEnvConfig(configFolder, platform)).config.kubernetesContext;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
