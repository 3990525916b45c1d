/**
 * @peers chromium
 * @paths apps/console libs/console libs/contracts apps/standalone/src
 */
import { expectClean } from './console-checks';
import { ConsoleStand } from './console-stand';
import type { ConsoleVisit } from './console-visit';

// The service is built first.
jest.setTimeout(300_000);

let stand: ConsoleStand;
beforeAll(async () => {
  stand = await ConsoleStand.start();
});
afterAll(() => stand?.stop());

describe('signing in', () => {
  it('shows the place of the address afterwards, and nothing of the service before', async () => {
    const visit = await stand.visit('/console/releases?status=failed');
    await visit.heading('Sign in').waitFor();
    expect(visit.requests.map(({ pathname }) => pathname).filter((path) => path.startsWith('/v1'))).toEqual([
      '/v1/platform',
    ]);
    await visit.signIn('alice');
    await visit.heading('Releases').waitFor();
    expect(visit.share()).toBe('/console/releases?status=failed');
    expect(await visit.page.getByLabel('Status').inputValue()).toBe('failed');
    await expectClean(visit);
  });

  it('is refused: the page says so, and signs in at the next attempt', async () => {
    const visit = await stand.visit();
    const opened = await visit.openSignIn();
    const cancel = opened.getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    expect(await opened.evaluate(() => window.opener as unknown)).toBeNull();
    await cancel.click();
    await visit.page.getByText('The sign-in failed').waitFor();
    await visit.signIn('bob');
    await visit.heading('Yours').waitFor();
    await expectClean(visit);
  });

  it('takes no answer that this page did not ask for', async () => {
    const visit = await stand.visit();
    await visit.heading('Sign in').waitFor();
    const other = await visit.page.context().newPage();
    await other.goto(`${stand.apiUrl}/console/signed-in?code=stolen&state=anything`);
    await other.getByText('No page of the console waits for this sign-in').waitFor();
    expect(new URL(other.url()).search).toBe('');
    await visit.heading('Sign in').waitFor();
    expect(visit.requests.some(({ pathname }) => pathname.endsWith('/token'))).toBe(false);
  });

  it('offers a link if the browser opens no window, and goes on when that one returns', async () => {
    const visit = await stand.visit();
    await visit.page.evaluate(() => {
      window.open = () => null;
    });
    await visit.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const link = visit.page.getByRole('link', { name: 'Open the sign-in in a tab' });
    const [tab] = await Promise.all([visit.page.context().waitForEvent('page'), link.click()]);
    await tab.getByRole('button', { name: 'alice' }).click();
    await visit.heading('Yours').waitFor();
    await expectClean(visit);
  });

  it('ends with the page, with its token, and with the sign-out', async () => {
    const visit = await stand.visitSignedIn('alice');
    await visit.heading('Yours').waitFor();
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.heading('You have signed out').waitFor();
    expect(await visit.page.textContent('body')).not.toContain('alice');
    // The provider asks again who it is, although it knows: another person may sit there now.
    await visit.signIn('bob');
    await visit.page.getByText('bob').waitFor();
    await visit.page.reload();
    await visit.heading('Sign in').waitFor();
    await expectClean(visit);
  });

  it('ends when the token is over: what is shown stays, marked, until the next sign-in', async () => {
    const visit = await stand.visit('/console/queues');
    await visit.page.clock.install();
    await visit.signIn('alice');
    await visit.heading('Queues').waitFor();
    await visit.page.clock.fastForward('03:00:00');
    await visit.page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
    await visit.heading('Queues').waitFor();
    // The provider's answer is judged by the true time.
    await visit.page.clock.setSystemTime(new Date());
    await visit.page.clock.resume();
    // The provider still knows who it is, and asks nothing.
    await visit.openSignIn();
    await visit.page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor({ state: 'detached' });
    await visit.heading('Queues').waitFor();
    await expectClean(visit);
  });
});

/** Waits until the page has read the reviews of a user. */
const readsReviewsOf = (visit: ConsoleVisit, user: 'alice' | 'mallory') =>
  visit.page.waitForResponse((answer) => {
    const { pathname, searchParams } = new URL(answer.url());
    return pathname === '/v1/reviews' && searchParams.get('authorUserId') === stand.userId(user);
  });

describe('another person', () => {
  it('who signs in after the end sees nothing of the one before', async () => {
    const visit = await stand.visit();
    await visit.page.clock.install();
    await Promise.all([readsReviewsOf(visit, 'alice'), visit.signIn('alice')]);
    await visit.page.getByRole('banner').getByText('alice').waitFor();
    await visit.page.clock.fastForward('03:00:00');
    await visit.page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
    await visit.page.clock.setSystemTime(new Date());
    await visit.page.clock.resume();
    await visit.page.context().clearCookies();
    await Promise.all([readsReviewsOf(visit, 'mallory'), visit.signIn('mallory')]);
    await visit.page.getByRole('banner').getByText('mallory').waitFor();
    expect(await visit.page.textContent('body')).not.toContain('alice');
    const asked = visit.requests.filter(({ pathname }) => pathname === '/v1/reviews');
    const ids = new Set(asked.map(({ searchParams }) => searchParams.get('authorUserId')));
    expect([...ids]).toEqual([stand.userId('alice'), stand.userId('mallory')]);
    await expectClean(visit);
  });
});
