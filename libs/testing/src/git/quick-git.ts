/**
 * Switches off what only a lasting repository needs: the search for garbage after each command, which starts a process,
 * and the wait for the disk.
 */
const QUICK = {
  'maintenance.auto': 'false',
  'gc.auto': '0',
  'receive.autoGC': 'false',
  'core.fsync': 'none',
};

/** The settings of a repository in a test, as variables of git's environment. */
export function quickGitVariables(): Record<string, string> {
  const settings = Object.entries(QUICK);
  const variables = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: `${settings.length}`, ...Object.fromEntries(variables) };
}

/** The same settings as lines of a configuration file, for a git that the client starts and that ignores variables. */
export function quickGitConfig(): string {
  const lines = Object.entries(QUICK).map(([key, value]) => {
    const [section, name] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return lines.join('');
}
