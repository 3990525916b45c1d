import { execFileSync } from '@plat/testing';
import { shellWord } from './shell-word';

describe('a value in a command to copy', () => {
  it.each(['main', 'feature/42-rate-limits', "it's", '$(id)', '`id`', 'a b', 'a;b', '!x', '"', '\\', '*'])(
    '%s is one word of a shell',
    (value) => {
      const printed = execFileSync('sh', ['-c', `printf %s ${shellWord(value)}`], { encoding: 'utf8' });
      expect(printed).toBe(value);
    },
  );
});
