import { readFileSync } from 'node:fs';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

export type VisitOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

/** axe-core is read as text, since the page's policy loads nothing that is not its own. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The rules of WCAG 2.2 at level AA, with those of the versions before. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeFinding {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** One person's browser at the console. It notes everything that the console should not do. */
export class ConsoleVisit {
  /** Every address that was asked for, by any page of this browser. */
  readonly requests: URL[] = [];
  /** Reports of the content security policy, errors and unhandled rejections of the page. */
  readonly faults: string[] = [];

  /** How many answers had no body, because the page has it already. */
  unchanged = 0;

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    /** The origin of the service whose console it is. */
    readonly origin: string,
  ) {}

  static async open(context: BrowserContext, url: string): Promise<ConsoleVisit> {
    const page = await context.newPage();
    const visit = new ConsoleVisit(context, page, new URL(url).origin);
    context.on('request', (request) => visit.requests.push(new URL(request.url())));
    context.on('response', (response) => {
      if (response.status() === 304) visit.unchanged += 1;
    });
    await context.exposeFunction('noteViolation', (text: string) => visit.faults.push(text));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { noteViolation } = window as unknown as { noteViolation(text: string): void };
        // The provider's pages have a policy of their own.
        if (location.pathname.startsWith('/console')) {
          noteViolation(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`);
        }
      });
    });
    page.on('pageerror', (error) => visit.faults.push(error.message));
    await page.goto(url);
    return visit;
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Signs in through the provider's page in its window, and waits until the console is there. */
  async signIn(account: string): Promise<void> {
    const window = await this.openSignIn();
    await window.getByRole('button', { name: account }).click();
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
    // The heading and the mark of a stale view say it, and go one after the other.
    await this.page.getByText('Your sign-in has ended').first().waitFor({ state: 'detached' });
    if (!window.isClosed()) await window.waitForEvent('close');
  }

  /** Clicks Sign in. @returns the window with the provider's page */
  async openSignIn(): Promise<Page> {
    const button = this.page.getByRole('button', { name: 'Sign in', exact: true });
    const [window] = await Promise.all([this.context.waitForEvent('page'), button.click()]);
    return window;
  }

  /** The address of the place at hand, as a person copies it, without its origin. */
  share(): string {
    const { pathname, search } = new URL(this.page.url());
    return pathname + search;
  }

  /** The findings of axe on the page at hand, as lines. */
  async axeFindings(): Promise<string[]> {
    const noted = this.faults.length;
    await this.page.evaluate(AXE);
    const findings = await this.page.evaluate(async (tags) => {
      const { axe } = window as unknown as {
        axe: { run(root: Document, options: object): Promise<{ violations: unknown[] }> };
      };
      return (await axe.run(document, { runOnly: tags })).violations;
    }, WCAG);
    // The faults that axe itself causes are not those of the page.
    this.faults.splice(noted);
    return (findings as AxeFinding[]).map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    );
  }

  /** How many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
