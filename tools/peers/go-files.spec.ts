import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { goFiles } from './go-files.mjs';

describe('the files of a Go module', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-go-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are asked for where no other user can have put a module or a workspace', async () => {
    const script = `#!/bin/sh\nprintf '{"Dir": "%s", "Sum": "h1:%s"}' "$PWD" "$GOWORK"\n`;
    const program = join(folder, 'go');
    await writeFile(program, script);
    await chmod(program, 0o755);
    const cwd = await goFiles({ module: 'example.com/m@v1.0.0', sum: 'h1:off', folder: '.' }, program);
    // Go looks for a go.mod in the folder and in each above it.
    expect(relative(cwd, tmpdir())).not.toBe('');
    expect(relative(cwd, tmpdir()).split('/')).not.toContain('..');
  });
});
