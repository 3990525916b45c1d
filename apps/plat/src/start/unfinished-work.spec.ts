import type { Failure } from '../terminal/failure';
import { reportIfUnfinished } from './unfinished-work';

describe('a process that is about to end', () => {
  const end = () => process.emit('beforeExit', 0);

  it('reports work that nothing can finish any more', () => {
    const reported: Failure[] = [];
    void reportIfUnfinished(
      () => new Promise(() => undefined),
      (failure) => reported.push(failure),
    );
    end();
    end();
    expect(reported).toEqual([
      expect.objectContaining({ code: 'INTERNAL_ERROR', message: 'plat ended before its work was done.' }),
    ]);
  });

  it.each([
    ['done', () => Promise.resolve()],
    ['refused', () => Promise.reject(new Error('refused'))],
  ])('reports none that is %s', async (_, work) => {
    const reported: Failure[] = [];
    await reportIfUnfinished(work, (failure) => reported.push(failure)).catch(() => undefined);
    end();
    expect(reported).toEqual([]);
  });
});
