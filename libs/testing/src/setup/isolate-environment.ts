import { makeHome, variablesOf } from '../starter/test-environment';

/**
 * Gives this process, and so each process that a test starts, an environment of its own: an empty home, git's settings
 * from one file of the run, a fixed locale and time zone, no proxies and no tokens. A test then says the same on every
 * person's machine.
 *
 * @returns the folder of the home, below the system's temporary one
 */
export function isolateEnvironment(): string {
  const home = makeHome();
  const isolated = variablesOf(process.env, home);
  for (const name of Object.keys(process.env)) {
    if (!(name in isolated)) Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, isolated);
  process.umask(0o022);
  return home;
}
