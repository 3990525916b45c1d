import { Flags } from '@oclif/core';
import { PlatCommand } from '../terminal/plat-command';
import { printableLine } from '../terminal/printable';
import { openPlatform, type Platform } from './platform';

/** A command that works with one platform alias. */
export abstract class PlatformCommand extends PlatCommand {
  static override baseFlags = {
    ...PlatCommand.baseFlags,
    alias: Flags.string({
      description: 'Platform alias to use; needed when several are configured',
      helpGroup: 'GLOBAL',
      helpValue: '<name>',
    }),
    debug: Flags.boolean({
      description: 'Say on stderr what is called and what comes back; tokens are masked',
      helpGroup: 'GLOBAL',
    }),
  };

  /** @throws Failure with exit code 127 when no alias can be resolved; nothing is called */
  protected platform(flags: { alias?: string; debug?: boolean }): Promise<Platform> {
    const { environment, host } = this;
    return openPlatform({
      configFolder: environment.configFolder,
      aliasName: flags.alias,
      headers: host.apiHeaders,
      trace: flags.debug ? (line) => host.terminal.note(printableLine(line)) : undefined,
    });
  }
}
