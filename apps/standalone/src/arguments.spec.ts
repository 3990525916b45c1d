import { join, resolve } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { parseArguments, UsageError } from './arguments';

describe('the arguments of npm start', () => {
  it('default to port 7070 and .plat/ in the repository, without a ready file', () => {
    expect(parseArguments([])).toEqual({ port: 7070, dataDir: join(workspaceRoot(), '.plat') });
  });

  it('are accepted with a space or an equals sign; paths are relative to the current folder', () => {
    expect(parseArguments(['--port', '0', '--data-dir=data', '--ready-file', '/tmp/ready.json'])).toEqual({
      port: 0,
      dataDir: resolve('data'),
      readyFile: '/tmp/ready.json',
    });
  });

  it('ask for the help text with --help', () => {
    expect(parseArguments(['--help'])).toBeUndefined();
  });

  it.each([
    [['--prot', '7071'], "Unknown argument '--prot'. Did you mean --port?"],
    [['--wacth'], "Unknown argument '--wacth'. Did you mean --watch?"],
    [['--datadir', 'x'], "Unknown argument '--datadir'. Did you mean --data-dir?"],
    [['--verbose'], "Unknown argument '--verbose'."],
    [['7071'], "Unexpected argument '7071'."],
    [['--port'], '--port needs a value.'],
    [['--data-dir='], '--data-dir needs a value.'],
    [['--ready-file', '--port', '1'], '--ready-file needs a value.'],
    [['--help=yes'], '--help takes no value.'],
    [['--port', 'http'], "--port must be a number from 0 to 65535, not 'http'."],
    [['--port', '65536'], "--port must be a number from 0 to 65535, not '65536'."],
    [['--port', '-1'], "--port must be a number from 0 to 65535, not '-1'."],
  ])('%j are refused: %s', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(new UsageError(message));
  });
});
