import { stageNames } from './dockerfile-stages';

/** As long as a Dockerfile may be. */
const LENGTH = 1024 * 1024 - 200;
const END = '\nFROM a AS test\n';
const filled = (text: string) => text.repeat(Math.floor(LENGTH / text.length));

describe('a Dockerfile that was written to hold up whoever reads it', () => {
  it.each([
    ['blanks in a directive', `# syntax=a${filled(' ')}x y${END}`],
    ['carriage returns in a line', `FROM b\nRUN ${filled('\r')}x${END}`],
    ['blanks behind a name', `FROM b\nRUN${filled(' ')}x${END}`],
    ['flags', `FROM b\nRUN ${filled('--a ')}x${END}`],
    ['one long flag', `FROM b\nRUN --${filled('a')}"${END}`],
    ['quotes in a flag', `FROM b\nRUN --${filled('"a"')}"${END}`],
    ['backslashes', `FROM b\nRUN ${filled('\\ ')}x${END}`],
    ['continued lines', `FROM b\nRUN a ${filled('\\\n')}x${END}`],
    ['comments', filled('# a\n') + END],
    ['quotes', `FROM b\nRUN ${filled(`'a' "b" `)}x${END}`],
    ['variables', `FROM b\nRUN ${filled('${a} ')}x${END}`],
    ['variables in variables', `FROM b\nRUN ${'${a:-'.repeat(LENGTH / 6)}${'}'.repeat(LENGTH / 6)}${END}`],
    ['variables in quotes in variables', `FROM b\nRUN ${filled('"${a/')}${END}`],
    ['heredocs', `FROM b\nRUN ${filled('<<')}x${END}`],
  ])('is read in seconds for %s', (_what, dockerfile) => {
    const { user } = process.cpuUsage();
    expect(stageNames(dockerfile)).toContain('test');
    expect(process.cpuUsage().user - user).toBeLessThan(20_000_000);
  });
});
