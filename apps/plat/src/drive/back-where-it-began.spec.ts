import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
import { backWhereItBegan } from './back-where-it-began';

describe('a drive that has come to its end', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    await bench.checkout.branch('mine', { 'mine.out': 'mine\n' });
    await bench.checkout.git('switch', '--quiet', 'mine');
  });
  afterEach(() => bench.strike());

  const branch = () => bench.checkout.git('symbolic-ref', '--short', 'HEAD');
  const toTarget = () => bench.checkout.git('switch', '--quiet', 'main');

  it('leaves the branch checked out that was, and returns what it did', async () => {
    const driven = await backWhereItBegan(bench.context(), async () => {
      await toTarget();
      return 'driven';
    });
    expect([driven, await branch(), bench.notes]).toEqual(['driven', 'mine', []]);
  });

  it('still reports what it did where the way back is not free, and notes what is in the way', async () => {
    await writeFile(join(bench.checkout.folder, '.git/info/exclude'), '*.out\n');
    const driven = await backWhereItBegan(bench.context(), async () => {
      await toTarget();
      await writeFile(join(bench.checkout.folder, 'mine.out'), 'built\n');
      return 'driven';
    });
    expect([driven, await branch()]).toEqual(['driven', 'main']);
    expect(bench.notes).toEqual([expect.stringMatching(/^mine is not checked out again: .*: mine\.out\.$/)]);
  });

  it('stays where a drive stopped: the next one goes on there', async () => {
    const stopped = backWhereItBegan(bench.context(), async () => {
      await toTarget();
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await branch()).toBe('main');
  });

  it('leaves a HEAD on no branch wherever the drive has put it', async () => {
    await bench.checkout.git('switch', '--quiet', '--detach');
    await backWhereItBegan(bench.context(), toTarget);
    expect([await branch(), bench.notes]).toEqual(['main', []]);
  });
});
