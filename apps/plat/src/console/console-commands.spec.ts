import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const REPOSITORY = 'https://git.example.com/acme/app';

describe('the commands that open the console', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp(consoleUrl?: string) {
    const bundle = await signedInMachine();
    disposals.push(bundle.dispose);
    const { platform } = bundle;
    if (consoleUrl !== undefined) {
      const body = {
        issuer: platform.url,
        apiUrl: platform.url,
        cliClientId: 'plat-cli',
        version: '',
        consoleUrl,
      };
      platform.answer('GET /v1/platform', { body });
    }
    return bundle;
  }

  it.each([
    [['console'], '/console/'],
    [['console', 'audit'], '/console/audit'],
    [['review', 'open', ID], `/console/reviews/${ID}`],
    [
      [
        'console',
        'queue',
        '--target-branch',
        'release/1 & 2',
        '--repository',
        'git@git.example.com:acme/app.git',
      ],
      '/console/queue?targetBranch=release%2F1+%26+2&repository=https%3A%2F%2Fgit.example.com%2Facme%2Fapp',
    ],
  ])('plat %j shows the address, and opens nothing if no one sits there', async (args, place) => {
    const { machine } = await setUp('https://plat.example.com/console/');
    expect((await machine.plat([...args, '--json'])).json()).toEqual({
      address: `https://plat.example.com${place}`,
      opened: false,
    });
    expect((await machine.plat(args)).stdout).toBe(`https://plat.example.com${place}\n`);
  });

  it('plat review open is about the review of the branch that is checked out', async () => {
    const { machine, platform } = await setUp('https://plat.example.com/console/');
    const checkout = await GateCheckout.create(machine);
    await checkout.git('remote', 'set-url', 'origin', 'https://git.example.com/acme/app.git');
    const review = { reviewId: ID, status: 'READY', name: 'N', sourceBranch: 'main', targetBranch: 'main' };
    const [createdAt, repository] = ['2026-01-02T03:04:05.000Z', REPOSITORY];
    const body = [{ ...review, tenantId: ID, authorUserId: ID, repository, createdAt, updatedAt: createdAt }];
    platform.answer('GET /v1/reviews', { body });
    const run = await machine.plat(['review', 'open', '--json'], { cwd: checkout.folder });
    expect(run.json()).toMatchObject({ address: `https://plat.example.com/console/reviews/${ID}` });
  });

  it('a queue without a target branch is refused, with the next step', async () => {
    const { machine } = await setUp('https://plat.example.com/console/');
    const run = await machine.plat(['console', 'queue', '--json']);
    expect(run.code).not.toBe(0);
    expect(run.json()).toMatchObject({ code: 'NO_TARGET_BRANCH' });
  });

  it.each([
    ['', 'NO_CONSOLE'],
    ['javascript:alert(1)', 'INVALID_ADDRESS'],
  ])('a platform whose console is "%s" is refused as %s', async (consoleUrl, code) => {
    const { machine } = await setUp(consoleUrl);
    const run = await machine.plat(['console', '--json']);
    expect(run.code).not.toBe(0);
    expect(run.json()).toMatchObject({ code });
  });
});
