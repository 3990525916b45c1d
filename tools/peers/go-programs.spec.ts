import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOf } from './go-programs.mjs';

describe('the version of programs that Go builds', () => {
  let module: string;

  beforeEach(async () => {
    module = await mkdtemp(join(tmpdir(), 'plat-go-'));
    for (const file of ['go.mod', 'go.sum', 'main.go']) await writeFile(join(module, file), file);
  });

  afterEach(() => rm(module, { recursive: true }));

  it.each(['go.mod', 'go.sum', 'main.go'])('changes if %s changes', async (file) => {
    const before = await versionOf(module, 'go1');
    expect(await versionOf(module, 'go1')).toBe(before);
    await writeFile(join(module, file), 'something else');
    expect(await versionOf(module, 'go1')).not.toBe(before);
  });

  it('changes if a source is added, and with the version of Go', async () => {
    const before = await versionOf(module, 'go1');
    expect(await versionOf(module, 'go2')).not.toBe(before);
    await writeFile(join(module, 'second.go'), 'package main');
    expect(await versionOf(module, 'go1')).not.toBe(before);
  });
});
