import { TEST_STAGE } from './dockerfile-stages';

/** `#9 [test 2/3] RUN make check`, or for several platforms `#9 [linux/amd64 test 2/3] RUN make check`. */
const STEP = /^#(\d+) \[(?:\S+ )?(\S+) +\d+\/\d+\] (\S+)/;
const OUTCOME = /^#(\d+) (CACHED|DONE)\b/;

/** The most that is kept of a line: its beginning says all. A build may print one that never ends. */
const LINE_MAX = 4096;

/** The evidence of BuildKit's plain progress on the test stage. */
export interface TestStageEvidence {
  /** Steps that came from the cache. */
  cached: number;
  /** Steps that were run. */
  executed: number;
}

/** Reads the plain progress of one build as it arrives. */
export class TestStageProgress {
  private readonly steps = new Map<string, 'CACHED' | 'DONE' | undefined>();
  private partial = '';

  read(chunk: string): void {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.readLine(this.continued(line));
      this.partial = '';
    }
    this.partial = this.continued(last);
  }

  private continued(text: string): string {
    return (this.partial + text).slice(0, LINE_MAX);
  }

  /** The first outcome of a step counts, because CACHED may be followed by the DONE of fetching the cached result. */
  private readLine(line: string): void {
    const [, outcomeOf, outcome] = OUTCOME.exec(line) ?? [];
    if (outcomeOf !== undefined) {
      if (this.steps.has(outcomeOf) && this.steps.get(outcomeOf) === undefined) {
        this.steps.set(outcomeOf, outcome as 'CACHED' | 'DONE');
      }
      return;
    }
    const [, step, stage, instruction] = STEP.exec(line) ?? [];
    // The base of a stage is only fetched, so it is no evidence of a test.
    if (step === undefined || stage?.toLowerCase() !== TEST_STAGE || instruction === 'FROM') return;
    if (!this.steps.has(step)) this.steps.set(step, undefined);
  }

  evidence(): TestStageEvidence {
    this.read('\n');
    const outcomes = [...this.steps.values()];
    const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    return { cached: count('CACHED'), executed: count('DONE') };
  }
}

/** The evidence of several builds of one image, for instance on several platforms. */
export function mergedEvidence(evidence: readonly TestStageEvidence[]): TestStageEvidence {
  const sum = (of: keyof TestStageEvidence) => evidence.reduce((total, one) => total + one[of], 0);
  return { cached: sum('cached'), executed: sum('executed') };
}

/** Whether the whole test stage came from the cache. Without evidence there is no replay. Rule G8. */
export function isReplay({ cached, executed }: TestStageEvidence): boolean {
  return cached > 0 && executed === 0;
}
