import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
import { backWhereItBegan } from './back-where-it-began';

describe('a drive that ends', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch('mine', { 'mine.out': 'mine\n' });
    await bench.checkout.git('switch', '--quiet', 'mine');
  });
  afterEach(() => bench.strike());

  const branch = () => bench.checkout.git('symbolic-ref', '--short', 'HEAD');
  const toTarget = () => bench.checkout.git('switch', '--quiet', 'main');

  it('checks out the former branch again, and returns its result', async () => {
    const driven = await backWhereItBegan(bench.context(), async () => {
      await toTarget();
      return 'driven';
    });
    expect([driven, await branch(), bench.notes]).toEqual(['driven', 'mine', []]);
  });

  it('returns its result even if files block the former branch, and notes these files', async () => {
    await writeFile(join(bench.checkout.folder, '.git/info/exclude'), '*.out\n');
    const driven = await backWhereItBegan(bench.context(), async () => {
      await toTarget();
      await writeFile(join(bench.checkout.folder, 'mine.out'), 'built\n');
      return 'driven';
    });
    expect([driven, await branch()]).toEqual(['driven', 'main']);
    expect(bench.notes).toEqual([expect.stringMatching(/^mine is not checked out again: .*: mine\.out\.$/)]);
  });

  it('stays on the target branch if it stops, because the next drive continues there', async () => {
    const stopped = backWhereItBegan(bench.context(), async () => {
      await toTarget();
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await branch()).toBe('main');
  });

  it('stays on the target branch if HEAD was on no branch before', async () => {
    await bench.checkout.git('switch', '--quiet', '--detach');
    await backWhereItBegan(bench.context(), toTarget);
    expect([await branch(), bench.notes]).toEqual(['main', []]);
  });
});
