import { homedir } from 'node:os';
import { relative } from 'node:path';
import { keptRepositories } from './repository';

describe('the repositories that are kept between runs', () => {
  it('are in a folder of the user, and not where another user could put one first', () => {
    expect(relative(process.env.XDG_CACHE_HOME || homedir(), keptRepositories)).not.toMatch(/^\.\./);
  });
});
