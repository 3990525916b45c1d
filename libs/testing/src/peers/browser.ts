import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { peer } from './peer';

/** A real browser that nobody sees, with a profile of its own. */
export interface TestBrowser {
  /** Opens an address in a new page. */
  open(url: string): Promise<Page>;
  close(): Promise<void>;
}

/** As root the browser runs only without its sandbox. It must connect to the pages under test alone. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startBrowser(): Promise<TestBrowser> {
  const { chromium } = await import('playwright-core');
  const profile = await mkdtemp(join(tmpdir(), 'plat-browser-'));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: peer('chromium'),
    args: FLAGS,
  });
  return {
    open: async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
