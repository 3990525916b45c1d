import { type PodTrouble, troubleText, TroubleWatch } from './trouble-watch';

const trouble = (change: Partial<PodTrouble>): PodTrouble => ({
  kind: 'image',
  reason: 'ErrImagePull',
  message: 'no such image',
  mends: false,
  ...change,
});
const SECONDS = 1000;

function watching() {
  const shown: string[] = [];
  return { shown, watch: new TroubleWatch((each) => shown.push(troubleText(each))) };
}

describe('the troubles of one wait', () => {
  it('each is reported once, whatever number in it changes', () => {
    const { shown, watch } = watching();
    const crash = (pause: string) =>
      trouble({ kind: 'crash', reason: 'CrashLoopBackOff', message: `back-off ${pause}` });
    watch.take([crash('10s')], 0);
    watch.take([crash('20s'), trouble({})], 2 * SECONDS);
    watch.take([crash('40s'), trouble({})], 4 * SECONDS);
    expect(shown).toEqual(['CrashLoopBackOff: back-off 10s', 'ErrImagePull: no such image']);
  });

  it('one that the cluster does not mend ends the wait after 30 s, by whichever word', () => {
    const { watch } = watching();
    expect(watch.take([trouble({})], 0)).toBe(false);
    expect(watch.take([trouble({ reason: 'ImagePullBackOff' })], 29 * SECONDS)).toBe(false);
    // The pod runs for a moment.
    expect(watch.take([], 31 * SECONDS)).toBe(false);
    expect(watch.take([trouble({ reason: 'ImagePullBackOff' })], 32 * SECONDS)).toBe(true);
  });

  it('a lack of room never ends it, and is not counted for what comes after it', () => {
    const { watch } = watching();
    const full = trouble({ kind: 'other', reason: 'Unschedulable', mends: true });
    expect(watch.take([full], 0)).toBe(false);
    expect(watch.take([full], 500 * SECONDS)).toBe(false);
    expect(watch.take([trouble({ kind: 'other', reason: 'FailedCreate' })], 501 * SECONDS)).toBe(false);
  });

  it('the latest ones are those of the last kind, with the words of earlier looks', () => {
    const { watch } = watching();
    const full = trouble({ kind: 'other', reason: 'Unschedulable', mends: true });
    const [first, second] = [trouble({}), trouble({ reason: 'ImagePullBackOff' })];
    watch.take([full], 0);
    watch.take([first], 2 * SECONDS);
    watch.take([second], 4 * SECONDS);
    watch.take([], 6 * SECONDS);
    expect(watch.latest()).toEqual([first, second]);
  });
});
