import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { Newcomer } from './newcomer';
import { withoutComment } from './readme-blocks';

jest.setTimeout(300_000);

/** Commands that a spec of their own runs, because they take long. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm run demo': 'apps/e2e/src/demo.long.spec.ts',
};
/** Starts the run of which this spec is a part. */
const THIS_RUN = 'npm test';
const HEADINGS = ['Try it', 'Run it on one machine', 'The gate, by hand'];

const shellBlocks = ({ blocks }: Newcomer) => blocks.filter(({ language }) => language === 'sh');

describe('README.md, typed from its first block to its last in a fresh clone', () => {
  let newcomer: Newcomer;
  beforeAll(async () => (newcomer = await Newcomer.arrive()));
  afterAll(() => newcomer.leave());

  it('has its commands below headings that this spec knows, and nothing else but the picture above them', () => {
    const others = newcomer.blocks.filter(({ language }) => language !== 'sh');
    expect(others.map(({ heading, language }) => ({ heading, language }))).toEqual([
      { heading: '', language: 'text' },
    ]);
    expect([...new Set(shellBlocks(newcomer).map(({ heading }) => heading))]).toEqual(HEADINGS);
  });

  it('runs the service on one machine, links the client, and submits the change of a branch', async () => {
    const commands = newcomer.commandsBelow('Run it on one machine');
    await newcomer.makeProject('change');
    for (const command of commands) {
      if (command.startsWith('npm start')) await newcomer.startService(command);
      else if (command.startsWith('npm ')) await newcomer.type(command, newcomer.clone);
      else if (command.startsWith('plat cloud login')) await newcomer.signIn(command, 'alice');
      else await newcomer.type(command, newcomer.project);
    }
    const status = await newcomer.type('plat status --json', newcomer.project);
    expect(JSON.parse(status)).toMatchObject({ status: 'MERGE', sourceBranch: 'change' });
  });

  it('lands the submitted change by hand', async () => {
    for (const command of newcomer.commandsBelow('The gate, by hand')) {
      await newcomer.type(command, newcomer.project);
    }
    const shown = await newcomer.type('plat review show change --json', newcomer.project);
    expect(JSON.parse(shown)).toMatchObject({ status: 'MERGED', contentVerdict: 'EXACT' });
  });

  it('stops everything with Ctrl-C', async () => {
    expect(await newcomer.answers()).toBe(true);
    await newcomer.stopService();
    expect(await newcomer.answers()).toBe(false);
  });

  it('has no command that no one runs', () => {
    const printed = shellBlocks(newcomer)
      .flatMap(({ commands }) => commands)
      .map(withoutComment);
    const unrun = printed.filter((command) => !newcomer.typed.has(command));
    expect(unrun).toEqual([...Object.keys(RUN_ELSEWHERE), THIS_RUN]);
    const missing = Object.values(RUN_ELSEWHERE).filter((spec) => !existsSync(join(workspaceRoot(), spec)));
    expect(missing).toEqual([]);
  });
});
