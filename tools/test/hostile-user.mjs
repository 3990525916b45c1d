import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The specs of the client and of git: a person's settings reach nothing else. Of a room in which the client starts git,
 * these are the files about what git does in the person's checkout. They leave out what is the same in every environment:
 * answers of the platform, states, texts, races, processes that are killed, sizes, and the service's own reading.
 */
export const HOSTILE_SPECS = [
  'apps/plat/src/(git|origin|checkout|worktree|merge|push|gate)/(?!killed-|unstable-|tree-size|gate-merge-beside|git-links)',
  'apps/plat/src/drive/(drive|gate-step|merge-step|stash-tracked|tidy-worktree)\\.',
  'apps/plat/src/landings/ledger-check',
  'apps/plat/src/receipts/(receipt-clone|merge-again)',
  'apps/plat/src/start/(cli|surroundings)',
  'libs/verifier/src/transport/local-git',
  'libs/testing/src/(setup|starter)/',
  'tools/(test|release)/',
];

const CLOSED_PORT = 'http://127.0.0.1:9';

/** Settings of git that a person may have, each of which changes what git prints, writes, sends or refuses. */
const gitConfig = (hooks) => `[commit]
	gpgSign = true
[tag]
	gpgSign = true
[gpg]
	program = /nonexistent/gpg
[user]
	useConfigOnly = true
	signingKey = none
[core]
	autocrlf = true
	hooksPath = ${hooks}
	quotePath = true
	pager = false
	editor = false
[url "https://nowhere.invalid/"]
	insteadOf = http://
	insteadOf = https://
	insteadOf = file://
	insteadOf = /
[init]
	defaultBranch = trunk
[merge]
	conflictStyle = zdiff3
	ff = only
[pull]
	rebase = true
[diff]
	renames = false
	noprefix = true
	external = false
[color]
	ui = always
[push]
	default = nothing
[fetch]
	prune = true
[status]
	short = true
[log]
	showSignature = true
[apply]
	whitespace = error
`;

const HOOKS = [
  'pre-commit',
  'commit-msg',
  'pre-push',
  'post-checkout',
  'post-merge',
  'reference-transaction',
];

/**
 * Gives this process, before the tests isolate themselves from it, the environment of the most hostile person: no
 * identity in git and every setting that changes it, a read-only home, a proxy that is closed, another locale, time zone
 * and mask, and a temporary folder with a space. A run that passes shows that none of it reaches a test.
 *
 * @param {string} runFolder
 * @returns {Record<string, string | undefined>} the variables that were set; TMPDIR is below the run's folder
 */
export function becomeHostileUser(runFolder) {
  const home = join(runFolder, "Çağrı's home");
  const temporary = join(runFolder, 'temporary files');
  const hooks = join(home, 'hooks');
  mkdirSync(hooks, { recursive: true });
  mkdirSync(temporary);
  // PostgreSQL, which runs as a user of its own if the tests run as root, has to get through.
  chmodSync(temporary, 0o711);
  for (const name of HOOKS) writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(home, '.gitconfig'), gitConfig(hooks));
  writeFileSync(join(home, '.npmrc'), 'ignore-scripts=true\noffline=true\n');
  for (const folder of [hooks, home]) chmodSync(folder, 0o555);
  const variables = hostileVariables(home, temporary);
  Object.assign(process.env, variables);
  process.umask(0o077);
  return variables;
}

function hostileVariables(home, temporary) {
  const { npm_config_userconfig, npm_config_cache, PLAT_TEST_CACHE, HOME, XDG_CACHE_HOME } = process.env;
  const own = HOME || homedir();
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    TMPDIR: temporary,
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_AUTHOR_DATE: '@0 +1245',
    GIT_PAGER: 'false',
    GIT_EDITOR: 'false',
    GIT_SSH_COMMAND: 'false',
    LANG: 'C',
    LC_ALL: 'tr_TR.UTF-8',
    TZ: 'Pacific/Chatham',
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
        name,
        CLOSED_PORT,
      ]),
    ),
    // How this machine reaches the registry of packages, and programs that earlier runs built: caches, not settings.
    npm_config_userconfig: npm_config_userconfig ?? join(own, '.npmrc'),
    npm_config_cache: npm_config_cache ?? join(own, '.npm'),
    PLAT_TEST_CACHE: PLAT_TEST_CACHE ?? join(XDG_CACHE_HOME || join(own, '.cache'), 'plat'),
  };
}
