import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';

const workspaceRoot = join(__dirname, '../../..');

describe('npm run demo', () => {
  it('drives the main job from review to release and ends with 0', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['tools/run.mjs', 'demo'], {
      cwd: workspaceRoot,
    });
    expect(stdout).toContain('reported before the push, it is refused');
    expect(stdout).toContain('git confirms it: MERGED');
    expect(stdout).toMatch(/All \d+ steps came out as they should/);
  }, 120_000);
});
