import type { Command, Interfaces } from '@oclif/core';
import type { CommandClass, CommandTable } from '../terminal/command-host';
import { COMMANDS, TOPICS } from './commands';
import { withoutFetchClasses } from './unused-globals';

/** Longest lines of help, because longer ones are hard to read on a wide terminal. */
const HELP_COLUMNS_MAX = 110;

/** The result of the build. */
export interface Bundle {
  /** The folder of the bundle. */
  root: string;
  version: string;
}

/**
 * The client as oclif's root plugin, without oclif's search of folders and package files, because the commands are
 * known when the bundle is built.
 *
 * @param described the classes whose texts a help page shows; the others are known by their id alone
 */
export function bundledPlugin(
  { root, version }: Bundle,
  described: Readonly<Record<string, CommandClass>>,
): Interfaces.Plugin {
  const pjson: Interfaces.PJSON = {
    name: 'plat',
    version,
    oclif: { bin: 'plat', topicSeparator: ' ', helpOptions: { maxWidth: HELP_COLUMNS_MAX } },
  };
  const commands = Object.keys(COMMANDS).map((id) => loadable(id, described[id]));
  return {
    _base: 'plat',
    alias: 'plat',
    commandIDs: Object.keys(COMMANDS),
    commands,
    commandsDir: undefined,
    findCommand: loadForOclif,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: async () => undefined,
    moduleType: 'commonjs',
    name: 'plat',
    options: { root },
    pjson,
    root,
    topics: TOPICS,
    type: 'core',
    valid: true,
    version,
  };
}

/** @param id a key of `COMMANDS` */
async function loadCommand(id: string): Promise<CommandClass> {
  const load = COMMANDS[id];
  if (!load) throw new Error(`there is no command ${id}`);
  const command = await withoutFetchClasses(load);
  command.id = id;
  return command;
}

/** Every command, for commands that need all of them. */
export const commandTable: CommandTable = { ids: Object.keys(COMMANDS), load: loadCommand };

/** The cast is safe: constructors accept oclif's arguments, and nothing here reads the statics that are missing. */
function loadForOclif(id: string): Promise<Command.Class> {
  return loadCommand(id) as unknown as Promise<Command.Class>;
}

function loadable(id: string, command: CommandClass | undefined): Command.Loadable {
  return {
    id,
    aliases: [],
    hiddenAliases: [],
    hidden: false,
    args: named(command?.args) as Command.Loadable['args'],
    flags: named({ ...command?.baseFlags, ...command?.flags }) as Command.Loadable['flags'],
    summary: command?.summary,
    description: command?.description,
    examples: command?.examples,
    strict: command?.strict,
    usage: command?.usage,
    pluginName: 'plat',
    load: () => loadForOclif(id),
  };
}

/** A help page reads the name from the flag or argument itself, which has it only after parsing. */
function named(inputs: Readonly<Record<string, object>> = {}): Record<string, object> {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, { ...input, name }]));
}
