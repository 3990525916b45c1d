import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageNames } from './dockerfile-stages';
import { discoverRecipe } from './recipe';

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

describe('a project with more Dockerfiles than a person writes', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-parts-'));
    await mkdir(join(folder, 'docker'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const discover = () => discoverRecipe({ project: { folder, name: 'app' }, scriptDisabled: false });
  /** Each part is a link to the first one, as in git, where each is the same blob. */
  async function addParts(count: number, dockerfile: string): Promise<void> {
    await mkdir(join(folder, 'docker', '0'));
    await writeFile(join(folder, 'docker', '0', 'Dockerfile'), dockerfile);
    for (let part = 1; part < count; part += 1) await symlink('0', join(folder, 'docker', String(part)));
  }

  it.each([
    ['parts', 1001, 'FROM a\n', 'has more than 1000 entries'],
    ['bytes', 12, `FROM a\n${'#'.repeat(800_000)}\n`, 'has Dockerfiles of more than 8388608 bytes'],
  ])('is refused for the number of its %s', async (_what, count, dockerfile, why) => {
    await addParts(count, dockerfile);
    await expect(discover()).rejects.toMatchObject({
      code: 'BUILD_FILE_REFUSED',
      message: `${join(folder, 'docker')} ${why}.`,
    });
  });

  it('is read up to these bounds', async () => {
    await addParts(1000, 'FROM a\n');
    expect(await discover()).toMatchObject({ images: { length: 1000 } });
  });
});
