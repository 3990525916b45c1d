import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile } from '@plat/testing';

const PAGE = 'docs/operations.md';

/** The log's lines that the sections on alarms name, each with its alarm. */
function namedLines(): [string, string][] {
  const text = readFileSync(join(workspaceRoot(), PAGE), 'utf8');
  return text.split(/^### /m).flatMap((section): [string, string][] => {
    const alarm = /^Plat\w+/.exec(section)?.[0];
    const look = /^Look: ([^]*?)^(?:Do:|```)/m.exec(section)?.[1];
    if (alarm === undefined || look === undefined) return [];
    const quoted = [...look.matchAll(/`([a-z]+(?: [a-z]+){2,})`/g)].map(([, line]) => line!);
    return quoted.filter((line) => !/^(?:plat|npm) /.test(line)).map((line) => [alarm, line]);
  });
}

describe('the lines of the log that the sections on alarms name', () => {
  const lines = namedLines();

  it('are found on the page', () => {
    expect(lines.length).toBeGreaterThan(5);
    expect(lines).toContainEqual(['PlatDeletionBlocked', 'environment deletion blocked']);
  });

  it.each(lines)('%s: a service writes "%s"', async (_, line) => {
    const args = [
      'grep',
      '--files-with-matches',
      '--fixed-strings',
      `'${line}`,
      '--',
      'apps',
      'libs',
      ':!*.spec.ts',
    ];
    const { stdout } = await promisify(execFile)('git', args, { cwd: workspaceRoot() });
    expect(stdout).not.toBe('');
  });
});
