import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Opens a page in the person's browser. Best effort, because the address is printed as well. */
export function openBrowser(address: string): void {
  const [opener, ...leading] = OPENERS[process.platform] ?? [];
  if (!opener || !/^https?:\/\//.test(address)) return;
  const child = spawn(opener, [...leading, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
