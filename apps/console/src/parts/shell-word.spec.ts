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

  it('has no character that a terminal takes for a key', () => {
    expect(shellWord('main\u0003\nid\n')).toBe("'main⟨U+0003⟩⟨U+000A⟩id⟨U+000A⟩'");
  });

  it('is quoted if zsh would take it for the path of a program', () => {
    expect([shellWord('=ls'), shellWord('a=b')]).toEqual(["'=ls'", 'a=b']);
  });
});
