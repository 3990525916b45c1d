import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReplay, mergedEvidence, TestStageProgress } from './test-stage-replay';

/** Recorded plain progress of a real builder. */
const recorded = (name: string) => readFileSync(join(__dirname, 'recorded', `${name}.txt`), 'utf8');

function evidenceOf(text: string) {
  const progress = new TestStageProgress();
  progress.read(text);
  return progress.evidence();
}

describe('the replay of a test stage', () => {
  it.each([
    ['buildx-executed', { cached: 0, executed: 2 }, false],
    ['buildx-replayed', { cached: 2, executed: 0 }, true],
    ['buildx-gate', { cached: 0, executed: 2 }, false],
    ['buildx-platforms', { cached: 0, executed: 3 }, false],
    ['buildx-platforms-replayed', { cached: 3, executed: 0 }, true],
    ['embedded-executed', { cached: 0, executed: 1 }, false],
    // Its base was fetched, which is a step [test 1/2] with DONE.
    ['embedded-replayed', { cached: 1, executed: 0 }, true],
  ])('is read from the plain progress of %s', (name, evidence, replay) => {
    expect(evidenceOf(recorded(name))).toEqual(evidence);
    expect(isReplay(evidence)).toBe(replay);
  });

  it('is read behind a line that a build prints without an end, of which only the beginning is kept', () => {
    const progress = new TestStageProgress();
    const endless = 'x'.repeat(1 << 20);
    // 1 GiB is more than a string can have.
    for (let mebibytes = 0; mebibytes < 1024; mebibytes += 1) progress.read(endless);
    progress.read('\r\n#9 [test 2/3] RUN make check\r');
    progress.read('\n#9 CACHED\r\n');
    expect(progress.evidence()).toEqual({ cached: 1, executed: 0 });
  });

  it('is not found if a step of the stage ran before another failed', () => {
    expect(evidenceOf(recorded('buildx-failed'))).toEqual({ cached: 0, executed: 1 });
  });

  it('is read the same from any split of the progress', () => {
    const progress = new TestStageProgress();
    for (const character of recorded('buildx-replayed')) progress.read(character);
    expect(progress.evidence()).toEqual({ cached: 2, executed: 0 });
  });

  it.each([
    ['a stage that is not built', '#4 [build 1/2] RUN make\n#4 CACHED\n'],
    ['a stage whose name ends alike', '#4 [pretest 1/1] RUN make\n#4 CACHED\n'],
    [
      'output of a step that looks like progress',
      '#4 [build 1/1] RUN x\n#4 0.1 #5 [test 1/1] RUN y\n#4 DONE 1s\n',
    ],
    ['nothing', ''],
  ])('is not found in %s, because there is no evidence', (_what, text) => {
    expect(evidenceOf(text)).toEqual({ cached: 0, executed: 0 });
    expect(isReplay(evidenceOf(text))).toBe(false);
  });

  it('is found only if every platform replayed the stage, because the evidence of all platforms is merged', () => {
    const line = (step: number, platform: string, outcome: string) =>
      `#${step} [linux/${platform} test  2/10] RUN make check\n#${step} ${outcome}\n`;
    const replayed = evidenceOf(line(4, 'amd64', 'CACHED') + line(5, 'arm64', 'CACHED'));
    expect(isReplay(replayed)).toBe(true);
    const once = evidenceOf(line(4, 'amd64', 'CACHED') + line(5, 'arm64', 'DONE 2.1s'));
    expect(isReplay(once)).toBe(false);
    expect(isReplay(mergedEvidence([replayed, once]))).toBe(false);
    expect(isReplay(mergedEvidence([replayed, { cached: 0, executed: 0 }]))).toBe(true);
  });
});
