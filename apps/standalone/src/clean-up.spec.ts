import { CleanUp } from './clean-up';

describe('a clean-up', () => {
  it('closes everything once, in the reverse order of opening', async () => {
    const closed: string[] = [];
    const cleanUp = new CleanUp();
    for (const name of ['lock', 'database', 'server']) cleanUp.add(async () => closed.push(name));
    await Promise.all([cleanUp.run(), cleanUp.run()]);
    expect(closed).toEqual(['server', 'database', 'lock']);
  });

  it('goes on after a failure, and reports it at the end', async () => {
    const closed: string[] = [];
    const cleanUp = new CleanUp();
    cleanUp.add(async () => closed.push('lock'));
    cleanUp.add(() => Promise.reject(new Error('the database hangs')));
    await expect(cleanUp.run()).rejects.toThrow('the database hangs');
    expect(closed).toEqual(['lock']);
  });
});
