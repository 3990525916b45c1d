import { Flags } from '../terminal/oclif';
import { PlatCommand } from '../terminal/plat-command';
import { openPlatform, type Platform } from './platform';

/** A command that works with one platform alias. */
export abstract class PlatformCommand extends PlatCommand {
  static override baseFlags = {
    ...PlatCommand.baseFlags,
    alias: Flags.string({
      // The contract's name of the flag for `expose`. Rule H2.
      aliases: ['erun-alias'],
      description: 'Platform alias to use; required if several are configured',
      helpGroup: 'GLOBAL',
      helpValue: '<name>',
    }),
  };

  /**
   * @param timeoutSeconds of each call; default: the API client's own
   * @throws Failure with exit code 127 if no alias can be resolved, before any call
   */
  protected platform(flags: { alias?: string }, timeoutSeconds?: number): Promise<Platform> {
    const { environment, host } = this;
    return openPlatform({
      configFolder: environment.configFolder,
      aliasName: flags.alias,
      headers: host.apiHeaders,
      timeoutSeconds,
    });
  }
}
