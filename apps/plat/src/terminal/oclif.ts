/**
 * The parts of commands, from oclif's own entries: its index would make every command evaluate its help pages and its
 * search for plugins as well.
 */
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export * as Flags from '@oclif/core/flags';
