/** A page that a visitor has come to. */
export interface VisitedPage {
  /** The page's address after redirects. */
  url: string;
  status: number;
  html: string;
}

/** The name of a button of a form, and the value it sends. */
export type Click = Readonly<Record<string, string>>;

const REDIRECTS_MAX = 20;

/**
 * A person at a browser without scripts: keeps cookies, follows redirects, fills in and submits the
 * page's only form. Enough to click through the sign-in pages of the local issuer.
 */
export class Visitor {
  private readonly cookies = new Map<string, { path: string; value: string }>();

  /** Redirects to this address are not followed. The result is then the redirect's target, unvisited. */
  constructor(private readonly stopAt = 'http://127.0.0.1/callback') {}

  async open(url: string): Promise<VisitedPage> {
    return this.request(url, { method: 'GET' });
  }

  /** Submits the page's form with its hidden fields and what was typed or clicked. */
  async submit(page: VisitedPage, click: Click = {}): Promise<VisitedPage> {
    const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/.exec(page.html);
    if (!form) throw new Error(`No form on ${page.url}:\n${page.html}`);
    const fields = new URLSearchParams();
    for (const [input] of (form[2] as string).matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(input, 'name');
      if (name) fields.set(name, attribute(input, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(click)) fields.set(name, value);
    const action = new URL(attribute(form[1] as string, 'action') ?? page.url, page.url);
    return this.request(action.href, { method: 'POST', body: fields });
  }

  private async request(url: string, init: RequestInit, redirects = 0): Promise<VisitedPage> {
    if (redirects > REDIRECTS_MAX) throw new Error(`Too many redirects, the last to ${url}`);
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { cookie: this.cookiesFor(url), accept: 'text/html' },
    });
    this.keepCookies(response);
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, html: await response.text() };
    await response.body?.cancel();
    const next = new URL(location, url);
    if (this.isCallback(next)) return { url: next.href, status: response.status, html: '' };
    return this.request(next.href, { method: 'GET' }, redirects + 1);
  }

  /** Whether an address is the client's callback. The port does not count, since the client may listen on any. */
  private isCallback(url: URL): boolean {
    const stop = new URL(this.stopAt);
    return url.hostname === stop.hostname && url.pathname === stop.pathname;
  }

  private cookiesFor(url: string): string {
    const { pathname } = new URL(url);
    return [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ', 1)[0]}=${value}`)
      .join('; ');
  }

  private keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
      if (value === '') this.cookies.delete(`${name} ${path}`);
      else this.cookies.set(`${name} ${path}`, { path, value });
    }
  }
}

/**
 * Approves a device grant as a person would: opens the page that `verification_uri_complete` names,
 * confirms the code and picks the account.
 *
 * @throws Error with the page's text when it does not end at "Signed in".
 */
export async function approveDevice(verificationUriComplete: string, account: string): Promise<void> {
  const visitor = new Visitor();
  const codeForm = await visitor.open(verificationUriComplete);
  const confirmation = await visitor.submit(codeForm);
  const accounts = await visitor.submit(confirmation);
  const end = await visitor.submit(accounts, { account });
  if (!end.html.includes('<h1>Signed in</h1>')) throw new Error(`The device was not approved:\n${end.html}`);
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value
    ?.replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
