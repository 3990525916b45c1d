import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outcome, step } from './report';
import type { Stage } from './stage';

interface Entries {
  entries: { index: number }[];
}

interface Verified {
  outcome: string;
  index?: number;
  reason?: string;
  size: number;
}

/** The record, exported and checked by its files alone; then the same with one word changed. */
export async function prove(stage: Stage, landings: number): Promise<void> {
  step('The sealed log is exported and verified without the service; then one of its words is changed');
  await untilSealed(stage, landings);
  const { keys } = await stage.plat<{ keys: { verifierKey: string }[] }>([
    'api',
    'GET',
    '/v1/audit-log/keys',
  ]);
  const key = keys[0]!.verifierKey;
  const folder = join(dirname(stage.clone), 'log');
  await stage.plat(['audit', 'export', folder]);
  const sound = await stage.plat<Verified>(['audit', 'verify', folder, '--key', key]);
  expect(sound.outcome === 'SOUND', `all ${sound.size} entries are as they were sealed`, sound);
  const checked = await stage.plat<{ rows: { verdict: string }[] }>([
    ...['ledger', 'check', '--target-branch', 'main', '--export', folder, '--key', key],
  ]);
  const verdicts = checked.rows.map(({ verdict }) => verdict);
  expect(
    verdicts.length === landings && verdicts.every((verdict) => verdict === 'LANDED'),
    'each landing on main has its receipt, and nothing went past the queue',
    checked,
  );
  await changeOneWord(folder);
  const altered = await stage.plat<Verified>(['audit', 'verify', folder, '--key', key], { expectCode: 1 });
  expect(
    altered.outcome === 'ALTERED',
    `the change is found: entry ${altered.index}: ${altered.reason}`,
    altered,
  );
}

/** Asks until the landings are sealed, which `npm start` does within a second or two. */
async function untilSealed(stage: Stage, landings: number): Promise<void> {
  for (;;) {
    const { entries } = await stage.plat<Entries>(['api', 'GET', '/v1/audit-log/entries?kind=landing']);
    if (entries.length >= landings) break;
  }
  outcome(`${landings} landings are sealed`);
}

async function changeOneWord(folder: string): Promise<void> {
  const [file] = (await readdir(join(folder, 'disclosed'), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );
  const path = join(file!.parentPath, file!.name);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"apiMethod":"POST"', '"apiMethod":"GET"'));
}
