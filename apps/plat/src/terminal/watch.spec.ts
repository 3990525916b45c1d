import { ended } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

describe('--watch', () => {
  it.each([
    [['gate', 'list'], 'GET /v1/gate-runs', (gateRunId: string) => ({ gateRuns: [{ gateRunId }] })],
    [
      ['review', 'queue', 'list', '--any-repository'],
      'GET /v1/reviews/merge-queue',
      (reviewId: string) => [{ reviewId }],
    ],
  ])('shows %j again when it has changed, until Ctrl-C, which is no failure', async (args, route, body) => {
    const { machine, platform, dispose } = await signedInMachine();
    let asked = 0;
    platform.answer(route, () => ({ body: body((asked += 1) > 1 ? 'second' : 'first') }));
    const child = await machine.start([...args, '--watch']);
    const run = ended(child);
    child.stdout?.on('data', (chunk: Buffer) => String(chunk).includes('second') && child.kill('SIGINT'));
    expect(await run).toMatchObject({ code: 0, stderr: '' });
    expect((await run).stdout).toMatch(/first[^]*second/);
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
