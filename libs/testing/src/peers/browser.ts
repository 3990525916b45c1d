import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { peer } from './peer';

/** A real browser without a window. It keeps its profile in a temporary folder, which it removes. */
export interface TestBrowser {
  /** Opens an address in a new page. */
  open(url: string): Promise<Page>;
  /** Another person's browser: nothing is shared with other pages, cookies included. */
  visitor(options?: BrowserContextOptions): Promise<BrowserContext>;
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
  const browser = await chromium.launch({ executablePath: peer('chromium'), args: FLAGS });
  const context = await browser.newContext();
  return {
    open: async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    visitor: (options) => browser.newContext(options),
    close: () => browser.close(),
  };
}
