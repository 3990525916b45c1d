import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench, SOURCE } from '../black-box/drive-bench';
import { lines } from '../black-box/gate-checkout';
import type { DriveContext } from './drive-context';
import { takeStep } from './drive-loop';
import { mergeStep } from './merge-step';

const FIXED = lines(1, 40, { 20: 'twenty\ncheck one\ncheck two\ncheck three' });

describe('a drive that refuses work of others to be taken back', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  const merge = (facts: Partial<DriveContext>, state = bench.state()) =>
    takeStep(bench.context(facts), mergeStep, state);

  /** A source that began before a fix landed, and merged the fix with its own side. */
  async function takeBack(): Promise<void> {
    await bench.checkout.branch(SOURCE, { own: 'own\n' });
    const fix = await bench.moveTarget({ 'numbers.txt': FIXED });
    await bench.checkout.git('switch', '--quiet', SOURCE);
    await bench.checkout.git('merge', '--quiet', '--strategy=ours', '--no-edit', fix);
    await bench.checkout.git('push', '--quiet', 'origin', SOURCE);
    await bench.checkout.git('switch', '--quiet', 'main');
  }

  it('fails the review with the places', async () => {
    await takeBack();
    const { verdict } = await merge({ refuseUndone: true });
    expect(verdict).toMatchObject({ successful: false, failingStep: 'merge' });
    expect(verdict?.detail).toContain('sure: numbers.txt:20-23, lost in a merge of the target');
  });

  it('fails it also if an earlier drive without the refusal made the merge', async () => {
    await takeBack();
    const made = await merge({});
    expect(made.verdict).toBeUndefined();
    const { verdict } = await merge({ refuseUndone: true }, made);
    expect(verdict?.detail).toContain('sure: numbers.txt:20-23');
  });

  it('fails it if nothing can be determined, since a source could escape the refusal so', async () => {
    await takeBack();
    const verifierWorker = join(bench.checkout.folder, '..', 'worker.js');
    await writeFile(verifierWorker, 'process.exit(1);\n');
    const { verdict } = await merge({ refuseUndone: true, verifierWorker });
    expect(verdict?.detail).toMatch(/is not known: the process that compares ended\. Nothing was pushed\.$/);
    expect((await merge({ verifierWorker })).verdict).toBeUndefined();
  });
});
