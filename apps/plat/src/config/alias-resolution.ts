import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type AliasEntry, missingFields, PLATFORM_KIND, type PlatformAlias } from './cloud-alias';
import { type Config, readConfig } from './config-file';
import { serviceAddress } from './service-address';

const INIT = nextStep('plat cloud init <alias> --api-url <url>');

/**
 * The platform alias of a command: the named one, otherwise the one of `plat cloud use`, otherwise the only one.
 * Reads the configuration file and nothing else.
 *
 * @throws Failure with exit code 127 if there is no alias, several without a named one, an unknown one, one of another
 * kind, an incomplete one, one with invalid addresses, or an unreadable configuration. Spec: Client, Authentication,
 * rule 1; Rule G1.
 */
export async function resolveAlias(configFolder: string, name: string | undefined): Promise<PlatformAlias> {
  const { cloudAliases, defaultAlias } = await readAliases(configFolder);
  const chosen = name ?? defaultAlias;
  return complete(chosen === undefined ? onlyPlatform(cloudAliases) : named(cloudAliases, chosen));
}

async function readAliases(configFolder: string): Promise<Config> {
  try {
    return await readConfig(configFolder);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.message, { next: error.next ?? INIT, exitCode: ExitCode.noAlias });
  }
}

function onlyPlatform(aliases: readonly AliasEntry[]): AliasEntry {
  const platforms = aliases.filter((entry) => entry.kind === PLATFORM_KIND);
  const [first] = platforms;
  if (!first) {
    throw new Failure('NO_PLATFORM_ALIAS', 'No platform alias is configured on this machine.', {
      next: INIT,
      exitCode: ExitCode.noAlias,
    });
  }
  if (platforms.length === 1) return first;
  const names = platforms.map((entry) => entry.name);
  throw new Failure(
    'PLATFORM_ALIAS_AMBIGUOUS',
    `Several platform aliases are configured (${names.join(', ')}), and none is named.`,
    {
      next: nextStep(
        'repeat the command with --alias',
        [first.name],
        ', or choose one for good: plat cloud use',
        [first.name],
      ),
      details: { aliases: names },
      exitCode: ExitCode.noAlias,
    },
  );
}

function named(aliases: readonly AliasEntry[], name: string): AliasEntry {
  const entry = aliases.find((candidate) => candidate.name === name);
  if (!entry) {
    const names = aliases.map((candidate) => candidate.name);
    const known = names.length === 0 ? 'none is configured' : `configured: ${names.join(', ')}`;
    throw new Failure('UNKNOWN_ALIAS', `There is no alias named ${name} (${known}).`, {
      next:
        names.length === 0
          ? INIT
          : nextStep('repeat the command with --alias', [names[0] ?? ''], ', or:', INIT),
      details: { aliases: names },
      exitCode: ExitCode.noAlias,
    });
  }
  if (entry.kind !== PLATFORM_KIND) {
    throw new Failure(
      'NOT_A_PLATFORM_ALIAS',
      `The alias ${name} is of kind ${String(entry.kind)}, not a platform.`,
      { next: INIT, exitCode: ExitCode.noAlias },
    );
  }
  return entry;
}

function complete(entry: AliasEntry): PlatformAlias {
  const missing = missingFields(entry);
  if (missing.length > 0) {
    throw new Failure('INCOMPLETE_ALIAS', `The platform alias ${entry.name} lacks ${missing.join(', ')}.`, {
      next: nextStep('plat cloud init', [entry.name], '--api-url <url>'),
      details: { missing },
      exitCode: ExitCode.noAlias,
    });
  }
  const { name, apiUrl, audience, issuer, clientId } = entry as unknown as PlatformAlias;
  requireAddresses(name, { apiUrl, issuer });
  return { name, kind: PLATFORM_KIND, apiUrl, audience, issuer, clientId };
}

/** An alias with addresses that no call and no sign-in can use counts as incomplete. */
function requireAddresses(name: string, addresses: Readonly<Record<string, string>>): void {
  for (const [field, address] of Object.entries(addresses)) {
    try {
      serviceAddress(address, `The ${field} of the platform alias ${name}`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure('INVALID_ALIAS', error.message, {
        next: nextStep('plat cloud init', [name], '--api-url <url>'),
        details: { field },
        exitCode: ExitCode.noAlias,
      });
    }
  }
}
