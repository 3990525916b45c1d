import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { sectionOf } from './commits.mjs';
import { release } from './release.mjs';

const FILES = {
  'package.json': '{\n  "name": "plat",\n  "version": "0.1.0",\n  "engines": { "node": "20" }\n}\n',
  'package-lock.json':
    '{\n  "name": "plat",\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "name": "plat",\n      "version": "0.1.0"\n    },\n' +
    '    "node_modules/a": {\n      "version": "0.1.0"\n    }\n  }\n}\n',
  'CHANGELOG.md': '# Changelog\n\n## 0.2.0 (not released yet)\n\n- new\n\n## 0.1.0 (2026-01-01)\n\n- old\n',
  'deploy/charts/runtime/Chart.yaml': 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n',
};

describe('npm run release', () => {
  let root: string;
  let printed: string[];
  const git = async (...args: string[]): Promise<string> => {
    const name = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    return (await promisify(execFile)('git', [...name, ...args], { cwd: root })).stdout.trim();
  };
  const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
  const order = (more: object = {}) => ({
    root,
    version: '0.2.0',
    dryRun: false,
    print: (line: string) => void printed.push(line),
    check: async () => true,
    generate: async () => true,
    ...more,
  });

  beforeEach(async () => {
    printed = [];
    root = await mkdtemp(join(tmpdir(), 'plat-release-'));
    await mkdir(join(root, 'deploy/charts/runtime'), { recursive: true });
    for (const [file, text] of Object.entries(FILES)) await writeFile(join(root, file), text);
    await git('init', '--quiet');
    await git('config', 'user.name', 't');
    await git('config', 'user.email', 't@example.com');
    await git('add', '--all');
    await git('commit', '--quiet', '-m', 'queue: first in, first out');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('writes the version and the changelog with the commits, commits and tags', async () => {
    await release(order());
    expect(JSON.parse(await read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(await read('package-lock.json'))).toEqual({
      name: 'plat',
      version: '0.2.0',
      packages: { '': { name: 'plat', version: '0.2.0' }, 'node_modules/a': { version: '0.1.0' } },
    });
    expect(await read('deploy/charts/runtime/Chart.yaml')).toBe(
      'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n',
    );
    expect(await read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- new\n\n### All commits\n\n- \*\*queue\*\* first in, first out\n\n## 0\.1\.0 \(2026-01-01\)\n\n- old\n$/,
    );
    expect(await git('rev-parse', 'v0.2.0^{commit}')).toBe(await git('rev-parse', 'HEAD'));
    expect(await git('status', '--porcelain')).toBe('');
  });

  it('names only the commits since the last release', async () => {
    await git('tag', 'v0.1.0');
    await git('commit', '--quiet', '--allow-empty', '-m', 'audit: a second thing');
    await release(order());
    expect(await read('CHANGELOG.md')).toContain('### All commits\n\n- **audit** a second thing\n\n## 0.1.0');
  });

  it('changes nothing in a dry run, and says what would change', async () => {
    const before = await git('rev-parse', 'HEAD');
    await release(order({ dryRun: true }));
    expect([await git('rev-parse', 'HEAD'), await git('status', '--porcelain'), await git('tag')]).toEqual([
      before,
      '',
      '',
    ]);
    expect(printed).toContain('package.json: changed');
    expect(printed.at(-1)).toBe('would tag v0.2.0');
  });

  it.each<[string, object, () => Promise<unknown>, string]>([
    [
      'a tree that differs from the commit',
      {},
      () => writeFile(join(root, 'new'), ''),
      'these files differ from it:\n?? new',
    ],
    ['a tag that exists', {}, () => git('tag', 'v0.2.0'), 'The tag v0.2.0 exists.'],
    ['a check that fails', { check: async () => false }, async () => undefined, 'npm run check fails'],
    ['a version that is none', { version: '1.2' }, async () => undefined, "'1.2' is no version"],
    [
      'a version that the changelog lacks',
      { version: '0.3.0' },
      async () => undefined,
      "no heading '## 0.3.0",
    ],
  ])('refuses %s, and changes nothing', async (_case, more, prepare, message) => {
    await prepare();
    const before = await git('rev-parse', 'HEAD');
    await expect(release(order(more))).rejects.toThrow(message);
    expect(await git('rev-parse', 'HEAD')).toBe(before);
    expect(await read('package.json')).toBe(FILES['package.json']);
  });
});

describe('the commits of a release', () => {
  it('are text, whatever characters a committer gave a subject', () => {
    expect(sectionOf(['gate: say \u001b]0;owned\u0007 it', 'one\u2028two', ''])).toBe(
      '### All commits\n\n- **gate** say  ]0;owned  it\n- **other** ; one two\n',
    );
  });
});
