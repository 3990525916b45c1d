import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { takeStep } from '../drive/drive-loop';
import { mergeStep } from '../drive/merge-step';
import { findFilesTooLarge } from './files-size';

describe('a branch of a few kilobytes whose files are larger than any disk', () => {
  let bench: DriveBench;
  let large: string;
  beforeEach(async () => {
    bench = await DriveBench.set();
    const bytes = Buffer.alloc(16 * 1024 * 1024);
    large = (await bench.git.try(['hash-object', '-w', '--stdin'], bytes)).stdout.trim();
  });
  afterEach(() => bench.strike());

  const makeTree = async (entries: string) => (await bench.git.run(['mktree'], entries)).trim();
  const times = (count: number, entry: string) =>
    makeTree(Array.from({ length: count }, (_, at) => `${entry}\tf${at}\n`).join(''));
  async function commitTree(more: string): Promise<string> {
    const tree = await makeTree((await bench.git.run(['ls-tree', 'main'])) + more);
    return (await bench.git.run(['commit-tree', '-p', 'main', '-m', 'Large', tree])).trim();
  }

  it('fails its review before its checkout, and holds no queue', async () => {
    const inner = await times(400, `100644 blob ${large}`);
    const outer = await times(400, `040000 tree ${inner}`);
    // git checks out nothing that has this name, so that this test fills no disk if it fails.
    const never = await makeTree(`100644 blob ${large}\tgit~1\n`);
    const misleading = `100644 blob ${large}\t:100644 000000 ${large} ${'0'.repeat(40)} D\n`;
    const source = await commitTree(
      `${misleading}040000 tree ${outer}\tlarge\n040000 tree ${never}\tnever\n`,
    );
    await bench.git.run(['push', '--quiet', 'origin', `${source}:refs/heads/${SOURCE}`]);
    const { verdict } = await takeStep(bench.context(), mergeStep, bench.state());
    expect(verdict).toMatchObject({
      successful: false,
      failingStep: 'merge',
      detail: expect.stringMatching(
        /its files need 2560032 MiB more than the target's, and the disk has \d+ MiB/,
      ) as unknown,
    });
  });

  it('is not one that only moves or removes large files', async () => {
    const outer = await times(400, `040000 tree ${await times(400, `100644 blob ${large}`)}`);
    const [onto, commit] = [
      await commitTree(`040000 tree ${outer}\tbefore\n`),
      await commitTree(`040000 tree ${outer}\tbehind\n`),
    ];
    expect(await findFilesTooLarge(bench.git, { onto, commit })).toBeUndefined();
    expect(await findFilesTooLarge(bench.git, { onto, commit: 'main' })).toBeUndefined();
  });
});
