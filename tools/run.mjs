/**
 * The program that every script of package.json runs: `node tools/run.mjs <command> [arguments]`.
 * Needs nothing but Node: packages are installed first when they are missing or the lock file changed.
 * The command runs in this process, so that signals and exit codes need no forwarding.
 */
import { commands } from './commands.mjs';

const [name = 'help', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;

if (command === undefined) {
  process.stderr.write(`There is no command '${name}'. npm run help lists the commands.\n`);
  process.exitCode = 1;
} else if (command.bare || (await installed())) {
  await command.run(args);
}

async function installed() {
  const { ensureInstalled } = await import('./install.mjs');
  process.exitCode = await ensureInstalled();
  return process.exitCode === 0;
}
