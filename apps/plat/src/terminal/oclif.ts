/**
 * The parts of commands, from oclif's own entries: its index would make every command evaluate its help pages and its
 * search for plugins as well.
 */
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';

export { Args, Flags };
export { Command } from '@oclif/core/command';
