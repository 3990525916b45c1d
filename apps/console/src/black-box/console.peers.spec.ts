/**
 * @peers chromium
 * @paths apps/console libs/console libs/contracts apps/standalone/src
 */
import { expectClean, expectUsable } from './console-checks';
import { ConsoleStand, type QueueScene, type Shown } from './console-stand';
import type { ConsoleVisit } from './console-visit';

// The service is built first.
jest.setTimeout(300_000);

const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202e\u001b[31m`;

let stand: ConsoleStand;
beforeAll(async () => {
  stand = await ConsoleStand.start();
});
afterAll(() => stand?.stop());

/** Waits until a text is on the page, in its main part. */
const shows = (visit: ConsoleVisit, text: string | RegExp) => visit.main.getByText(text).first().waitFor();

describe('the places', () => {
  let queue: QueueScene;
  let [landed, holder, blocked, failed]: Shown[] = [];
  beforeAll(async () => {
    queue = await stand.queue();
    landed = await queue.green('bob', { name: 'Landed' });
    await queue.land('bob', landed);
    holder = await queue.green('bob', { name: 'Holder' });
    await queue.gateRun('bob', holder, {
      verdict: 'INCONCLUSIVE',
      failingStep: 'unit tests',
      logRef: 'https://ci.example/7',
    });
    blocked = await queue.propose('bob', { name: `Blocked ${HOSTILE}`.replace(/[\u0000-\u001f]/g, '') });
    await queue.comment('alice', blocked, 'Why is\nthis here?');
    await queue.build('bob', blocked, { successful: true, version: '1.0.1' });
    failed = await queue.propose('bob', { name: 'Failed' });
    await queue.build('bob', failed, {
      successful: false,
      version: '1.0.2',
      failureDetail: 'lint: 3 faults',
    });
    await queue.propose('bob', { name: 'n'.repeat(512) });
  });

  it('Yours: position, who is ahead, what it waits for, the last reason, the next command to copy', async () => {
    const visit = await stand.visitSignedIn('bob');
    const card = (name: string | RegExp) =>
      visit.main.getByRole('listitem').filter({ has: visit.page.getByRole('link', { name }) });
    await card('Holder').first().waitFor();
    await shows(visit, 'Position');
    await shows(visit, /lint: 3 faults/);
    expect(await card(/^Blocked/).innerText()).toMatch(
      /Position\s+1 of 1[\s\S]*Ahead\s+Holder[\s\S]*one thread is open/,
    );
    expect(await card('Failed').innerText()).toMatch(/A build failed, by bob, .*: lint: 3 faults/);
    const command = `plat review record-build ${failed!.reviewId}`;
    await card('Failed')
      .getByRole('button', { name: `Copy the command ${command}` })
      .click();
    await card('Failed').getByText('copied').waitFor();
    expect(await visit.page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    await expectUsable(visit);
  });

  it('Queues: those with reviews, and the way to any other', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/queues');
    await shows(visit, 'One review waits.');
    await visit.page.getByLabel('Target branch').fill('elsewhere');
    await visit.page.keyboard.press('Enter');
    await visit.heading('Queue of elsewhere').waitFor();
    expect(visit.share()).toBe('/console/queue?targetBranch=elsewhere');
    await visit.main.locator('[data-empty=never]').waitFor();
    await visit.page.goBack();
    await visit.heading('Queues').waitFor();
    await expectUsable(visit);
  });

  it('Queue: the slot with its age and cause, the line, the landings with their verdict', async () => {
    const visit = await stand.visitSignedIn('alice', queue.address);
    await shows(visit, 'Its gate has reached no verdict so far.');
    await shows(visit, 'Blocked by 1 open thread.');
    await shows(visit, /too few to say what is usual/);
    await shows(visit, 'EXACT');
    await shows(visit, `plat review verify ${landed!.reviewId}`);
    await expectUsable(visit);
  });

  it('Review: its moves with reasons, builds, gate runs, threads and receipt', async () => {
    const visit = await stand.visitSignedIn('alice', `/console/reviews/${landed!.reviewId}`);
    await shows(visit, /Merged through the queue/);
    await shows(visit, /MERGED$/);
    await shows(visit, 'A1, A2');
    await expectUsable(visit);
    const other = await stand.visitSignedIn('alice', `/console/reviews/${holder!.reviewId}`);
    await shows(other, 'unit tests');
    await shows(other, 'It has not landed.');
    await expectUsable(other);
    const third = await stand.visitSignedIn('alice', `/console/reviews/${blocked!.reviewId}`);
    await shows(third, '1 open. It is not promoted until its threads are closed.');
    expect(await third.main.locator('pre').first().innerText()).toBe('Why is\nthis here?');
    await expectUsable(third);
  });

  it('Review: what it took back of earlier landings, and which later one took back its own work', async () => {
    const others = await stand.queue();
    const { fix, later } = await others.takeBack('bob', { fix: 'Check the transfer', later: 'Later work' });
    const visit = await stand.visitSignedIn('alice', `/console/reviews/${later.reviewId}`);
    await visit.main.getByRole('alert').getByText('It took back work of').waitFor();
    await shows(visit, /sure: transfer.txt, lines 1 to 3, lost in a merge of the target/);
    await expectUsable(visit);
    await visit.main.getByRole('alert').getByRole('link', { name: 'Check the transfer' }).click();
    await visit.heading('Check the transfer').waitFor();
    await visit.main.getByRole('alert').getByText('Taken back in part by').waitFor();
    await expectUsable(visit);
    expect(fix.name).toBe('Check the transfer');
  });

  it('Releases', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/releases');
    await visit.main.getByRole('row').nth(1).waitFor();
    await visit.page.getByLabel('Status').selectOption('failed');
    await visit.page.getByRole('button', { name: 'Narrow' }).click();
    await visit.main.locator('[data-empty=nothing]').waitFor();
    expect(visit.share()).toBe('/console/releases?status=failed');
    await visit.page.goBack();
    await visit.main.getByRole('row').nth(1).waitFor();
    await expectUsable(visit);
  });

  it('Gate runs', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/gate-runs');
    await shows(visit, 'https://ci.example/7');
    await expectUsable(visit);
  });

  it('Audit, for who may', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/audit?apiMethod=POST&apiPath=/v1/reviews');
    await shows(visit, 'POST /v1/reviews');
    expect(await visit.main.getByText('GET /v1/').count()).toBe(0);
    await expectUsable(visit);
  });

  it('Statistics, as drawings with their numbers', async () => {
    const visit = await stand.visitSignedIn('alice', queue.address.replace('/queue?', '/statistics?'));
    await visit.page.getByRole('img', { name: /Moves by what they did: Entered \d+.*Merged 1/ }).waitFor();
    await visit.page.getByRole('img', { name: /From READY to MERGED: Mean/ }).waitFor();
    await expectUsable(visit);
  });

  it('an address that is no place says so', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/nowhere');
    await visit.heading('No such page').waitFor();
    await expectUsable(visit);
    const foreign = await stand.visitSignedIn('mallory', `/console/reviews/${landed!.reviewId}`);
    await foreign.main.locator('.empty').waitFor();
    expect(await foreign.page.textContent('body')).not.toContain('Landed');
  });
});

describe('an empty list', () => {
  const state = (visit: ConsoleVisit, wanted: 'nothing' | 'never' | 'forbidden') =>
    visit.main.locator(`[data-empty=${wanted}]`).first().waitFor();

  it('that was never used has the commands with which it begins; one that is done with says so', async () => {
    const visit = await stand.visitSignedIn('mallory');
    for (const page of ['Yours', 'Queues', 'Releases', 'Gate runs']) {
      await visit.page.getByRole('navigation').getByRole('link', { name: page }).click();
      await visit.heading(page).waitFor();
      await state(visit, 'never');
      expect(await visit.main.locator('.command').count()).toBeGreaterThan(0);
    }
    await expectUsable(visit);
    const body = { name: 'Given up', sourceBranch: 'topic', targetBranch: 'main' };
    const { reviewId } = await stand.send('mallory', 'POST /v1/reviews', body);
    await stand.send('mallory', `PATCH /v1/reviews/${reviewId}/status`, { status: 'CLOSED' });
    for (const page of ['Yours', 'Queues']) {
      await visit.page.getByRole('navigation').getByRole('link', { name: page }).click();
      await visit.heading(page).waitFor();
      await state(visit, 'nothing');
    }
  });

  it.each([
    'releases?status=failed',
    'gate-runs?targetBranch=none',
    'audit?apiPath=/none',
    'queue?targetBranch=none',
  ])('of %s is not a list that may not be seen', async (address) => {
    const visit = await stand.visitSignedIn('alice', `/console/${address}`);
    await visit.main.locator('[data-empty]').first().waitFor();
    expect(await visit.main.locator('[data-empty=forbidden]').count()).toBe(0);
  });

  it('of a person whose roles do not permit it names the route that a role would permit', async () => {
    const dave = await stand.visitSignedIn('dave');
    await state(dave, 'forbidden');
    await expectUsable(dave);
    const permissions = [{ apiMethod: 'GET', apiPath: '/v1/whoami' }];
    const { roleId } = await stand.send<{ roleId: string }>('alice', 'POST /v1/roles', {
      name: 'Named',
      permissions,
    });
    await stand.send('alice', `POST /v1/users/${stand.userId('dave')}/roles`, { roleId });
    const visit = await stand.visitSignedIn('dave', '/console/audit');
    await shows(visit, 'GET /v1/audit-events');
    const routes = {
      Yours: 'GET /v1/reviews',
      Queues: 'GET /v1/reviews',
      Releases: 'GET /v1/releases',
      'Gate runs': 'GET /v1/gate-runs',
    };
    for (const [page, route] of Object.entries(routes)) {
      await visit.page.getByRole('navigation').getByRole('link', { name: page }).click();
      await visit.heading(page).waitFor();
      await state(visit, 'forbidden');
      await shows(visit, route);
    }
  });
});

describe('names from outside', () => {
  it('are text on every page, with what is invisible shown by its number', async () => {
    const queue = await stand.queue();
    const name = `${HOSTILE.replace('\u001b', '')} ${'w'.repeat(400)}`;
    const review = await queue.green('bob', { name });
    await queue.comment('bob', review, `${HOSTILE}\n<script>document.title='owned'</script>`);
    await queue.gateRun('bob', review, {
      verdict: 'FAILED',
      failingStep: HOSTILE.replace('\u001b', ''),
      logRef: 'javascript:alert(1)',
    });
    await queue.build('bob', review, { kind: 'GATE', successful: false, failureDetail: HOSTILE });
    const shown = '<img src=x onerror="document.title=\'owned\'"> ⟨U+202E⟩';
    for (const address of ['/console/', `/console/reviews/${review.reviewId}`, '/console/gate-runs']) {
      const visit = await stand.visitSignedIn('bob', address);
      await shows(visit, shown);
      expect(await visit.page.locator('main img, main script').count()).toBe(0);
      expect(await visit.page.title()).not.toBe('owned');
      expect(await visit.page.locator('a[href^="javascript:"]').count()).toBe(0);
      await expectUsable(visit);
    }
  });
});

describe('living on', () => {
  const hide = (visit: ConsoleVisit, hidden: boolean) =>
    visit.page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  const reads = (visit: ConsoleVisit) =>
    visit.requests.filter(({ pathname }) => pathname.startsWith('/v1/')).length;

  it('shows a change without a reload', async () => {
    const queue = await stand.queue();
    await queue.green('bob', { name: 'First' });
    const visit = await stand.visitSignedIn('alice', queue.address);
    await shows(visit, 'First');
    const second = await queue.green('bob', { name: 'Second' });
    await shows(visit, 'Second');
    await stand.send('bob', `PATCH /v1/reviews/${second.reviewId}/status`, { status: 'CLOSED' });
    await visit.main.getByText('No review is READY.').waitFor();
    expect(visit.unchanged).toBeGreaterThan(0);
    await expectClean(visit);
  });

  it('asks nothing while its tab is hidden, and reads when it is seen again', async () => {
    const queue = await stand.queue();
    await queue.green('bob', { name: 'Seen' });
    const visit = await stand.visit(queue.address);
    await visit.page.clock.install();
    await visit.signIn('alice');
    await shows(visit, 'Seen');
    await hide(visit, true);
    const before = reads(visit);
    await visit.page.clock.runFor('00:10:00');
    expect(reads(visit)).toBe(before);
    await queue.green('bob', { name: 'Behind its back' });
    await hide(visit, false);
    await shows(visit, 'Behind its back');
  });

  it('says that it is not up to date while the service is away, and goes on when it is back', async () => {
    const queue = await stand.queue();
    await queue.green('bob', { name: 'Kept' });
    const visit = await stand.visitSignedIn('alice', queue.address);
    await shows(visit, 'Kept');
    await stand.stopService();
    await shows(visit, 'Not up to date');
    await shows(visit, 'Kept');
    await stand.startService();
    await visit.main.getByText('Not up to date').waitFor({ state: 'detached' });
    await queue.green('bob', { name: 'After it' });
    await shows(visit, 'After it');
    expect(visit.faults).toEqual([]);
  });

  it('ends the sign-in when the service refuses the token', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/queues');
    await visit.heading('Queues').waitFor();
    await stand.stopService();
    await stand.forgetIssuers();
    await stand.startService();
    await visit.page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor();
    await visit.signIn('alice');
    await visit.heading('Queues').waitFor();
  });
});

/** How long it takes from the provider's token to the first review on the page, for the log. */
async function readableAfter(visit: ConsoleVisit, account: string): Promise<string> {
  const window = await visit.openSignIn();
  const token = visit.page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/token'));
  await window.getByRole('button', { name: account }).click();
  await token;
  const began = performance.now();
  await visit.main.getByRole('listitem').first().waitFor();
  return `readable ${Math.round(performance.now() - began)} ms after the token`;
}

describe('the first page', () => {
  it('shows the reviews before all about them is read', async () => {
    const queue = await stand.queue();
    for (let count = 0; count < 5; count++) await queue.green('mallory');
    const visit = await stand.visit();
    process.stdout.write(`Yours with 5 reviews: ${await readableAfter(visit, 'mallory')}\n`);
    await shows(visit, '4 of 4');
    await expectClean(visit);
  });
});

describe('thousands of rows', () => {
  const COUNT = 2000;
  beforeAll(() => stand.fillQueue('carol', 'crowded', COUNT));

  it('Yours and a queue are readable at once, and draw the rest when asked', async () => {
    const visit = await stand.visit('/console/');
    process.stdout.write(`Yours with ${COUNT} reviews: ${await readableAfter(visit, 'carol')}\n`);
    await visit.page.getByRole('button', { name: 'Show 100 more' }).click();
    await shows(visit, `200 of ${COUNT}`);
    const queue = await stand.visitSignedIn('alice', '/console/queue?targetBranch=crowded');
    await shows(queue, `100 of ${COUNT}`);
    expect(await queue.main.locator('.line > li').count()).toBe(100);
    await expectUsable(queue);
  });

  it('a thread with thousands of replies is drawn in part, and the page goes on without one that is too large', async () => {
    const queue = await stand.queue();
    const review = await queue.propose('bob');
    await queue.comment('bob', review, 'The root.');
    await stand.fillThread(review, COUNT);
    const visit = await stand.visitSignedIn('alice', `/console/reviews/${review.reviewId}`);
    await shows(visit, `100 of ${COUNT}`);
    expect(await visit.main.locator('blockquote').count()).toBe(101);
    await stand.fillThread(review, 3 * COUNT);
    await visit.page.getByRole('button', { name: 'Read again' }).click();
    await shows(visit, 'longer than the 32 MiB');
    await visit.heading(review.name).waitFor();
    await expectClean(visit);
  });

  it('a long table too, page by page', async () => {
    const visit = await stand.visitSignedIn('alice', '/console/releases?targetBranch=crowded');
    await shows(visit, `100 of ${COUNT}`);
    const audit = await stand.visitSignedIn('alice', '/console/audit');
    await audit.page.getByRole('button', { name: 'Show earlier ones' }).click();
    await shows(audit, '100 of 200');
    await expectUsable(audit);
  });
});

describe('by keyboard', () => {
  it('every place is reached, and the focus goes to what was opened', async () => {
    const visit = await stand.visitSignedIn('bob');
    await visit.heading('Yours').waitFor();
    const { keyboard } = visit.page;
    const focused = () => visit.page.evaluate(() => document.activeElement?.textContent ?? '');
    await visit.page.locator('body').press('Tab');
    expect(await focused()).toBe('Skip to the page');
    while ((await focused()) !== 'Gate runs') await keyboard.press('Tab');
    await keyboard.press('Enter');
    await visit.heading('Gate runs').waitFor();
    expect(await focused()).toBe('Gate runs');
    await expectClean(visit);
  });
});

describe('the check itself', () => {
  it('finds a fault that is planted', async () => {
    const visit = await stand.visit();
    await visit.heading('Sign in').waitFor();
    await expectUsable(visit);
    await visit.page.evaluate(async () => {
      const reported = new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', resolve),
      );
      document.body.append(document.createElement('img'));
      document.body.setAttribute('style', 'color: red');
      await reported;
    });
    expect(await visit.axeFindings()).toEqual([expect.stringContaining('image-alt')]);
    expect(visit.faults).toEqual([expect.stringContaining('style-src')]);
  });
});
