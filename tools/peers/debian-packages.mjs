import { access, rm, writeFile } from 'node:fs/promises';
import { findProgram } from './find-program.mjs';
import { runCommand } from './run-command.mjs';

/** While this file exists, Debian starts no service that it installs. The tests start their own, on their own ports. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
const INSTALL = ['install', '--yes', '--no-install-recommends', '--no-upgrade', '--no-remove'];

/**
 * The packages that dpkg does not list as installed; all of them if there is no dpkg.
 *
 * @param {string[]} packages
 * @returns {Promise<string[]>}
 */
export async function missingPackages(packages) {
  // dpkg-query fails if it does not know one of the packages, and still lists the others.
  const { stdout } = await runCommand('dpkg-query', [
    '--show',
    '--showformat=${Package} ${db:Status-Status}\n',
    ...packages,
  ]);
  const installed = new Set(stdout.split('\n').filter((line) => line.endsWith(' installed')));
  return packages.filter((name) => !installed.has(`${name} installed`));
}

/**
 * Installs Debian packages, and upgrades or removes none.
 *
 * @param {string[]} packages
 * @param {(line: string) => void} log
 * @throws Error that says what is missing and how a person gets it
 */
export async function installPackages(packages, log) {
  const prefix = await rootPrefix();
  const byHand = `sudo apt-get ${INSTALL.join(' ')} ${packages.join(' ')}`;
  if ((await findProgram('apt-get')) === undefined) {
    throw new Error(`There is no apt-get here. These Debian packages are missing: ${packages.join(' ')}.`);
  }
  if (prefix === undefined) {
    throw new Error(`Installing takes root, or sudo without a password:\n  ${byHand}`);
  }
  log(`Installing Debian packages: ${packages.join(' ')}`);
  await withoutStartingServices(prefix, async () => {
    for (const args of [['update'], [...INSTALL, ...packages]]) {
      const [command, ...rest] = [...prefix, 'apt-get', '-o', 'DPkg::Lock::Timeout=300', ...args];
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      const { ok, output } = await runCommand(command, rest, { env });
      if (!ok) throw new Error(`apt-get ${args[0]} failed. By hand: ${byHand}\n${output}`);
    }
  });
}

/** The command that runs another as root: none, sudo without a password, or undefined if neither works. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const { ok } = await runCommand('sudo', ['--non-interactive', 'true']);
  return ok ? ['sudo', '--non-interactive', '--preserve-env=DEBIAN_FRONTEND'] : undefined;
}

/** Writes the policy file, unless there is one. With sudo it writes none, since that is a person's own machine. */
async function withoutStartingServices(prefix, work) {
  const hasPolicy = await access(SERVICE_POLICY).then(
    () => true,
    () => false,
  );
  if (hasPolicy || prefix.length > 0) return work();
  await writeFile(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    await rm(SERVICE_POLICY);
  }
}
