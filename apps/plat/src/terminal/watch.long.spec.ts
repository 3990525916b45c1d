import { ended } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

/** Suppresses the notes on slow calls. */
const QUIET = { PLAT_IDLE_PROBE: 'true' };

describe('--watch', () => {
  it.each([
    [['gate', 'list'], 'GET /v1/gate-runs', (sourceBranch: string) => ({ gateRuns: [{ sourceBranch }] })],
    [
      ['review', 'queue', 'list', '--any-repository'],
      'GET /v1/reviews/merge-queue',
      (sourceBranch: string) => [{ sourceBranch }],
    ],
  ])('shows %j again when it has changed, until Ctrl-C, which is no failure', async (args, route, body) => {
    const { machine, platform, dispose } = await signedInMachine();
    let asked = 0;
    platform.answer(route, () => ({ body: body((asked += 1) > 1 ? 'second' : 'first') }));
    const child = await machine.start([...args, '--watch'], { env: QUIET });
    const run = ended(child);
    child.stdout?.on('data', (chunk: Buffer) => String(chunk).includes('second') && child.kill('SIGINT'));
    expect(await run).toMatchObject({ code: 0, stderr: '' });
    expect((await run).stdout).toMatch(/first[^]*second/);
    await dispose();
  });

  it('goes on if the service does not answer for a while, and reports it once', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    let asked = 0;
    platform.answer('GET /v1/gate-runs', () => {
      asked += 1;
      if (asked === 2 || asked === 3) {
        return { status: 503, body: { code: 'SERVICE_UNAVAILABLE', message: 'The service is starting.' } };
      }
      return { body: { gateRuns: [{ sourceBranch: asked > 3 ? 'second' : 'first' }] } };
    });
    const child = await machine.start(['gate', 'list', '--watch'], { env: QUIET });
    const run = ended(child);
    child.stdout?.on('data', (chunk: Buffer) => String(chunk).includes('second') && child.kill('SIGINT'));
    expect(await run).toMatchObject({ code: 0, stderr: 'The service is starting. Trying again …\n' });
    await dispose();
  });

  it('ends when its reader has ended, as with plat … --watch | head -1', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    let asked = 0;
    platform.answer('GET /v1/gate-runs', () => ({
      body: { gateRuns: [{ sourceBranch: `${(asked += 1)}` }] },
    }));
    const child = await machine.start(['gate', 'list', '--watch'], { env: QUIET });
    const run = ended(child);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await run).toMatchObject({ code: 0, stderr: '' });
    await dispose();
  });

  it('replaces the previous view on a terminal', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    const env = { PLAT_FORCE_TTY: '1', NO_COLOR: '1' };
    const child = await machine.start(['gate', 'list', '--watch'], { env });
    const run = ended(child);
    child.stdout?.on('data', () => child.kill('SIGINT'));
    expect((await run).stdout).toBe('\u001b[H\u001b[JNo gate run matches.\n');
    await dispose();
  });

  it('fails at once if the first answer does not arrive', async () => {
    const { machine, dispose } = await signedInMachine();
    expect((await machine.plat(['gate', 'list', '--watch'])).code).toBe(1);
    await dispose();
  });

  it('is refused with --json, which prints one value', async () => {
    const { machine, dispose } = await signedInMachine();
    expect((await machine.plat(['gate', 'list', '--watch', '--json'])).json()).toMatchObject({
      code: 'USAGE',
    });
    await dispose();
  });
});
