import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, spawn } from '@plat/testing';
import { builtPlat, ended, Machine, PATH, type PlatRun } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';
import { readCommandLine } from './command-line';
import { COMMANDS } from './commands';

const TTY = { PLAT_FORCE_TTY: '1', PLAT_IDLE_PROBE: '' };

describe('the client', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.create();
  });
  afterAll(() => machine.remove());

  it('prints the version that is compiled into it, with and without loading its commands', async () => {
    const { version } = JSON.parse(await readFile(join(__dirname, '../../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await machine.plat(['--version'], { ownProcess: true })).toMatchObject({
      code: 0,
      stdout: `plat ${version}\n`,
      stderr: '',
    });
    expect((await machine.plat(['version', '--json'])).json()).toMatchObject({ version });
  });

  it('ignores every variable that the contract does not list', async () => {
    const env = {
      PLAT_CONFIG_DIR: '/nowhere',
      PLAT_CONTENT_TYPE: 'json',
      PLAT_DEBUG: '1',
      PLAT_VERSION: '9.9.9',
    };
    const plain = await machine.plat(['version']);
    expect(await machine.plat(['version'], { env })).toMatchObject({ stdout: plain.stdout, stderr: '' });
  });

  it('runs as a program through a link on the path', async () => {
    const { stdout } = await promisify(execFile)(await builtPlat(), ['--version']);
    expect(stdout).toMatch(/^plat \d/);
  });

  const helps = new Map<string, Promise<PlatRun>>();
  /** Both cases about all commands read the same help. */
  function helpOf(id: string): Promise<PlatRun> {
    const help = helps.get(id) ?? machine.plat([...id.split(':'), '--help']);
    helps.set(id, help);
    return help;
  }

  it.each(Object.keys(COMMANDS))('has help with examples for %s', async (id) => {
    const run = await helpOf(id);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^EXAMPLES?\n {2}\S/m);
    expect(run.stdout).toContain(`plat ${id.replaceAll(':', ' ')}`);
    expect(run.stdout).not.toContain('<%=');
  });

  it('has the committed command lines', async () => {
    const usages = await Promise.all(
      Object.keys(COMMANDS).map(async (id) => {
        const { stdout } = await helpOf(id);
        return /USAGE\n {2}\$ ([\s\S]*?)\n\n/.exec(stdout)?.[1]?.replace(/\s+/g, ' ');
      }),
    );
    expect(usages).toMatchSnapshot();
  });

  it.each([[[]], [['--help']], [['help']]])('lists its topics for %j', async (argv) => {
    const run = await machine.plat(argv);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/TOPICS\n(?: {2}\w+ .*\n)* {2}review /);
  });

  it.each([['review'], ['review', 'queue'], ['help', 'exec']])(
    'lists the commands of a topic: %s %s',
    async (...argv) => {
      const run = await machine.plat(argv);
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('COMMANDS');
    },
  );

  it.each([
    [['frobnicate'], 'plat --help'],
    [['review', 'frobnicate'], 'plat review --help'],
    [['review', 'lsit'], 'plat review list'],
    [['review', 'queue', 'advanc', '--help'], 'plat review queue advance'],
    [['docter'], 'plat doctor'],
    [['review', 'shw', '01a20025-ad22-79cd-a0dc-842f1d77f7ca'], 'plat review show'],
    [['exec', 'gaterun', 'start', 'x'], 'plat exec gate-run start'],
  ])('fails with 1, never 127, for %j', async (argv, next) => {
    const run = await machine.plat([...argv, '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toEqual({
      code: 'UNKNOWN_COMMAND',
      message: expect.any(String),
      details: { next },
      exitCode: 1,
    });
    expect(run.stderr).toBe('');
  });

  it('refuses a flag before the command', async () => {
    const run = await machine.plat(['--json', 'review', 'list']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'USAGE',
      message: '--json stands before any command.',
      details: { next: 'put the command first, then its flags: plat review list --json' },
    });
    expect(await machine.plat(['--frobnicate'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('names the flag whose value it refuses, in one line', async () => {
    const run = await machine.plat(['gate', 'list', '--limit', 'x']);
    expect(run.stderr).toBe('error INVALID_NUMBER: --limit "x" is not a whole number from 1.\n');
  });

  it('prints a usage failure on stderr and nothing on stdout', async () => {
    const run = await machine.plat(['exec', 'gate-merge']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^error USAGE: Missing required flag source\nnext: repeat the command with --help\n$/,
    );
  });

  it.each([
    [['review', 'list', '--stauts', 'OPEN'], '--status, or with --help'],
    [['drive', '--traget=main'], '--target, or with --help'],
    [['open', '--noshell'], '--no-shell, or with --help'],
    [['review', 'list', '--frobnicate'], '--help'],
  ])('names the most similar flag for %j', async (argv, hint) => {
    const run = await machine.plat([...argv, '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'USAGE',
      details: { next: `repeat the command with ${hint}` },
      exitCode: 1,
    });
  });

  it('takes the leading words as the command and the rest as its arguments', () => {
    expect(readCommandLine(['review', 'queue', 'list', '--json'])).toEqual({
      kind: 'run',
      id: 'review:queue:list',
      argv: ['--json'],
    });
    expect(readCommandLine(['api', 'GET', '/v1/x'])).toEqual({
      kind: 'run',
      id: 'api',
      argv: ['GET', '/v1/x'],
    });
    expect(readCommandLine(['api', 'GET', '--', '--help'])).toMatchObject({ kind: 'run' });
    expect(readCommandLine(['constructor'])).toMatchObject({ kind: 'unknown' });
  });

  describe('prints a listing', () => {
    const review = {
      reviewId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11',
      status: 'READY',
      sourceBranch: 'feature/1',
      targetBranch: 'main',
      authorUserId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12',
      name: 'Tab\there \u001b[31mred',
    };

    async function listReviews(args: string[], env: Record<string, string> = {}) {
      const { machine: home, platform, dispose } = await signedInMachine();
      try {
        platform.answer('GET /v1/reviews', { body: [review] });
        return await home.plat(['review', 'list', ...args], { env });
      } finally {
        await dispose();
      }
    }

    it('as tab-separated lines in a pipe, without header, control characters or colour', async () => {
      expect((await listReviews([])).stdout).toBe(
        '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11\tREADY\tfeature/1\tmain\tTab here  [31mred\t0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12\t2026-01-02T03:04:05.000Z\n',
      );
    });

    it('as an aligned table on a terminal, without colour under NO_COLOR', async () => {
      const { stdout } = await listReviews([], { ...TTY, NO_COLOR: '1' });
      expect(stdout).toBe(
        'REVIEW    STATUS  SOURCE     TARGET  NAME               AUTHOR    UPDATED\n0c9a2e11  READY   feature/1  main    Tab here  [31mred  0c9a2e12  2026-01-02\n',
      );
    });

    it('with colour on a terminal, and if FORCE_COLOR is set', async () => {
      const heading =
        '\u001b[1mREVIEW    STATUS  SOURCE     TARGET  NAME               AUTHOR    UPDATED\u001b[22m';
      expect((await listReviews([], TTY)).stdout).toContain(heading);
      expect((await listReviews([], { ...TTY, FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).toContain(heading);
    });

    it('plainly to an idle probe, even on a terminal', async () => {
      const { stdout } = await listReviews([], { ...TTY, PLAT_IDLE_PROBE: 'true' });
      expect(stdout).toBe(
        '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11\tREADY\tfeature/1\tmain\tTab here  [31mred\t0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12\t2026-01-02T03:04:05.000Z\n',
      );
    });

    it.each([[['--json']], [['--output', 'json']], [['--output=json']]])(
      'as one JSON value with %j',
      async (args) => {
        expect((await listReviews(args, { FORCE_COLOR: '1' })).json()).toMatchObject([review]);
      },
    );
  });

  it('does not fail if its reader stops early', async () => {
    const [plat, { machine: home, platform, dispose }] = await Promise.all([builtPlat(), signedInMachine()]);
    platform.answer('GET /v1/reviews', {
      body: Array.from({ length: 20_000 }, (_, at) => ({ name: `Review ${at}` })),
    });
    const script = '{ "$0" "$1" review list; echo "exit $?" >&2; } | head -n 1';
    const child = spawn('sh', ['-c', script, process.execPath, plat], { env: { PATH, HOME: home.home } });
    const run = await ended(child);
    await dispose();
    expect(run.stdout).toMatch(/^\S.*\tReview 0\t.*\n$/);
    expect(run.stderr).toMatch(/exit 0\n$/);
  });

  it('reports on stderr each step that takes over a second', async () => {
    const { machine: home, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/reviews', { body: [], delayMilliseconds: 1200 });
    const run = await home.plat(['review', 'list', '--json'], { env: { PLAT_IDLE_PROBE: '' } });
    await dispose();
    expect(run).toMatchObject({ code: 0, stdout: '[]\n', stderr: 'Listing reviews …\n' });
  });
});
