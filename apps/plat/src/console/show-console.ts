import { openBrowser } from '../session/browser';
import { Flags } from '../terminal/oclif';

/** The result of a command that opens the console. */
export interface ConsoleOpened {
  address: string;
  /** Whether a browser was asked to open it. */
  opened: boolean;
}

export const browserFlag = Flags.boolean({
  allowNo: true,
  default: true,
  description: 'Open the page if a browser is available',
});

/** Opens the address if that is wanted and a person sits there; the address is shown in each case. */
export function openConsole(address: string, mayOpen: boolean): ConsoleOpened {
  if (mayOpen) openBrowser(address);
  return { address, opened: mayOpen };
}
