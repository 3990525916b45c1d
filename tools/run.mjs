/**
 * Runs every script of package.json: `node tools/run.mjs <command> [arguments]`.
 * Needs nothing but Node and git: packages are installed first when they are missing or the lock file changed.
 * The command runs in this process, so that signals and exit codes need no forwarding.
 */
import { findLack } from './requirements.mjs';

const [name = 'help', ...args] = process.argv.slice(2);
const lack = name === 'help' ? undefined : findLack();

if (lack === undefined) {
  void run();
} else {
  process.stderr.write(`${lack}\n`);
  process.exitCode = 1;
}

async function run() {
  // Loaded after the look at the machine, since an old Node cannot read it.
  const { commands } = await import('./commands.mjs');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    process.stderr.write(`There is no command '${name}'. npm run help lists the commands.\n`);
    process.exitCode = 1;
  } else if (command.bare || (await ensurePackages())) {
    await command.run(args);
  }
}

async function ensurePackages() {
  const { ensureInstalled } = await import('./install.mjs');
  process.exitCode = await ensureInstalled();
  return process.exitCode === 0;
}
