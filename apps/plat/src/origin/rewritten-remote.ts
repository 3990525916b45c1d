import { canonicalRepository } from '@plat/remote';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { withoutCredentials } from '../terminal/printable';
import { ORIGIN } from './origin';

const HTTP = /^https?:\/\//i;

/** A rule `url.<base>.insteadOf` of the person's configuration. */
interface Rewriting {
  /** The file that has it: `local`, `global` or `system`. */
  scope: string;
  key: string;
  prefix: string;
}

/**
 * Refuses an origin that the person's git rewrites from https to another host over SSH, such as an alias of their SSH
 * configuration. Only this machine knows such a host, so the platform could not read the repository by that name, and
 * the others of the team would name it otherwise.
 *
 * @param used origin's address as git uses it
 * @throws Failure REWRITTEN_REMOTE
 */
export async function requireOwnAddress(git: Git, used: string): Promise<void> {
  if (HTTP.test(used)) return;
  const stored = (await git.try(['config', '--get', `remote.${ORIGIN}.url`])).stdout.trim();
  const [named, read] = [canonicalRepository(stored), canonicalRepository(used)];
  if (!HTTP.test(stored) || named === undefined || read === undefined || named === read) return;
  const rule = await findRewriting(git, stored);
  throw new Failure(
    'REWRITTEN_REMOTE',
    `Your git rewrites origin, ${withoutCredentials(stored)}, to ${withoutCredentials(used)} (insteadOf). The platform would read ${read}, which is another repository.`,
    {
      details: { stored: named, used: read },
      next: rule
        ? pushOnly(rule)
        : nextStep(
            'remove the rule insteadOf that rewrites it: git config --show-origin --get-regexp insteadOf',
          ),
    },
  );
}

/** The commands that keep the rule for pushes, which is what such a rule is mostly for. */
function pushOnly({ scope, key, prefix }: Rewriting): NextStep {
  const config = ['git', 'config', `--${scope}`];
  const pushKey = key.replace(/\.insteadof$/i, '.pushInsteadOf');
  return nextStep('let the rule count for pushes alone:', [...config, '--add', pushKey, prefix], '&&', [
    ...config,
    '--fixed-value',
    '--unset',
    key,
    prefix,
  ]);
}

/** The rule that rewrites an address: git takes the one with the longest prefix. */
async function findRewriting(git: Git, address: string): Promise<Rewriting | undefined> {
  const answer = await git.try([
    'config',
    '--show-scope',
    '--null',
    '--get-regexp',
    '^url\\..*\\.insteadof$',
  ]);
  const fields = answer.stdout.split('\0');
  const rules: Rewriting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', prefix = ''] = (fields[at + 1] ?? '').split('\n');
    rules.push({ scope: fields[at] ?? '', key, prefix });
  }
  const scopes = ['local', 'global', 'system', 'worktree'];
  return rules
    .filter(({ scope, prefix }) => scopes.includes(scope) && prefix !== '' && address.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)[0];
}
