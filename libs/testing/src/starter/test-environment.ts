import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The machine's variables that a process needs: where programs lie, whom to trust, how the run itself is set. */
const MACHINE_VARIABLES = [
  'PATH',
  'TMPDIR',
  'SHELL',
  'USER',
  'LOGNAME',
  'CI',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'PATHEXT',
];

/** Settings of a run: of jest, of the peers, of generated rounds and of their number. */
const RUN_VARIABLES =
  /^(?:JEST_|PLAT_TEST_|PLAT_PEERS$|PLAT_CLUSTER_|[A-Z]+_(?:ROUNDS|SEED|ROWS|MERGES|SLEEP_SECONDS)$)/;

/** In the home and not in a variable, so that a test that sets another home has that home's settings. */
const GIT_CONFIG = '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n';

/** Makes a home, below the system's temporary folder, that has git's settings of a run and nothing else. */
export function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'plat-user-'));
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG);
  return home;
}

let ownHome: string | undefined;

/** The home of a run, or one of this process alone, if a test or the demo has started it outside a run. */
function homeOfRun(): string {
  if (process.env.PLAT_TEST_HOME) return process.env.PLAT_TEST_HOME;
  if (ownHome === undefined) {
    const home = makeHome();
    process.once('exit', () => rmSync(home, { recursive: true, force: true }));
    ownHome = home;
  }
  return ownHome;
}

/** The environment of a process that a test starts. */
export const testEnvironment = (): Record<string, string> => variablesOf(process.env, homeOfRun());

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a test run on a machine whose own variables are given. */
export function variablesOf(own: Variables, home: string): Record<string, string> {
  const kept = Object.entries(own).filter(
    ([name, value]) => value !== undefined && (MACHINE_VARIABLES.includes(name) || RUN_VARIABLES.test(name)),
  ) as [string, string][];
  const ownHome = own.HOME || homedir();
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    PLAT_TEST_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    // How this machine reaches the registry of packages, for the tests that install some.
    npm_config_userconfig: own.npm_config_userconfig ?? join(ownHome, '.npmrc'),
    npm_config_cache: own.npm_config_cache ?? join(ownHome, '.npm'),
    // Programs that earlier runs built.
    PLAT_TEST_CACHE: own.PLAT_TEST_CACHE ?? join(own.XDG_CACHE_HOME || join(ownHome, '.cache'), 'plat'),
  };
}
