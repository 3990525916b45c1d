import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withTimeLimit } from './time-limit';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LIMIT_MILLISECONDS = 200;

/** Resolves with the reason of the signal; nothing but its listener holds the signal then. */
const endOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

async function endBesideCollections(signal: () => AbortSignal): Promise<unknown> {
  const end = endOf(signal());
  let isOver = false;
  void end.then(() => (isOver = true));
  for (
    const deadline = performance.now() + 20 * LIMIT_MILLISECONDS;
    performance.now() < deadline && !isOver;
  ) {
    // A collection in the same turn keeps what a WeakRef was made for in it.
    await delay(10);
    collectGarbage();
  }
  return isOver ? end : 'never';
}

const forever = new AbortController();

it('ends after its time, whatever is collected meanwhile', async () => {
  const reason = await endBesideCollections(() => withTimeLimit(forever.signal, LIMIT_MILLISECONDS));
  expect(reason).toMatchObject({ name: 'TimeoutError' });
});

it('ends after the shorter time of two, whatever is collected meanwhile', async () => {
  const nested = () =>
    withTimeLimit(withTimeLimit(forever.signal, LIMIT_MILLISECONDS), 100 * LIMIT_MILLISECONDS);
  expect(await endBesideCollections(nested)).toMatchObject({ name: 'TimeoutError' });
});

it('ends with the other signal, and its reason', async () => {
  const other = new AbortController();
  const end = endOf(withTimeLimit(other.signal, 100 * LIMIT_MILLISECONDS));
  other.abort(new Error('stopped'));
  expect(await end).toEqual(new Error('stopped'));
});
