import { Turn, Turns } from './turn';

const ORGANISATION = 'acme';

/** Takes every free turn of the organisation. @returns a function that gives one back */
async function takeAll(turns: Turns): Promise<() => void> {
  const taken: Turn[] = [];
  for (;;) {
    const turn = new Turn(turns, ORGANISATION);
    const entered = turn.take().then(
      () => taken.push(turn),
      () => undefined,
    );
    await new Promise(setImmediate);
    if (turns.waiting === 0) continue;
    turn.end();
    await entered;
    return () => answer(taken.pop()!);
  }
}

/** Ends a request's work, and the request. */
function answer(turn: Turn): void {
  turn.rest();
  turn.end();
}

describe('work whose caller goes away', () => {
  it('keeps its turn until it ends, and no longer', async () => {
    const turns = new Turns();
    const turn = new Turn(turns, ORGANISATION);
    await turn.take();
    await takeAll(turns);
    turn.end();
    const next = new Turn(turns, ORGANISATION);
    const entered = next.take();
    await new Promise(setImmediate);
    expect(turns.waiting).toBe(1);
    turn.rest();
    await expect(entered).resolves.toBeUndefined();
  });
});

describe('work that only waits and gives its turn back meanwhile', () => {
  let turns: Turns;
  let turn: Turn;

  beforeEach(async () => {
    turns = new Turns();
    turn = new Turn(turns, ORGANISATION);
    await turn.take();
  });

  /** Starts work aside, lets others take every turn meanwhile, and ends the work. */
  async function waitForTurnAfterWork(answer: string) {
    let finish!: (answer: string) => void;
    const aside = turn.aside(() => new Promise<string>((resolve) => (finish = resolve)));
    const giveOneBack = await takeAll(turns);
    finish(answer);
    await new Promise(setImmediate);
    expect(turns.waiting).toBe(1);
    return { aside, giveOneBack };
  }

  it('ends once it has a turn again', async () => {
    const { aside, giveOneBack } = await waitForTurnAfterWork('done');
    giveOneBack();
    await expect(aside).resolves.toBe('done');
  });

  it('returns its answer if the caller leaves while it waits for a turn, and keeps no turn', async () => {
    const { aside, giveOneBack } = await waitForTurnAfterWork('done');
    turn.end();
    await expect(aside).resolves.toBe('done');
    expect(turns.waiting).toBe(0);
    giveOneBack();
    const next = new Turn(turns, ORGANISATION);
    await expect(next.take()).resolves.toBeUndefined();
  });

  it('returns its answer if the caller left during the work, and takes no turn', async () => {
    let finish!: (answer: string) => void;
    const aside = turn.aside(() => new Promise<string>((resolve) => (finish = resolve)));
    turn.end();
    finish('done');
    await expect(aside).resolves.toBe('done');
    const giveOneBack = await takeAll(turns);
    giveOneBack();
    await expect(new Turn(turns, ORGANISATION).take()).resolves.toBeUndefined();
  });

  it('throws its own error', async () => {
    const failed = new Error('failed');
    await expect(turn.aside(() => Promise.reject(failed))).rejects.toBe(failed);
  });
});
