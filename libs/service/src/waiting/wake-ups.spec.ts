import { type Waiter, WakeUps } from './wake-ups';

let wakeUps: WakeUps<string>;
beforeEach(() => {
  wakeUps = new WakeUps((key) => key);
});

/** How often a waiter is woken; it goes on waiting each time. */
function counting(waiter: Waiter): { woken: number } {
  const counted = { woken: 0 };
  const wake = () => {
    counted.woken += 1;
    waiter.see();
    waiter.onNews(wake);
  };
  waiter.onNews(wake);
  return counted;
}

it('the first version of a key wakes its waiter, since it may have read before', () => {
  const counted = counting(wakeUps.add('a'));
  wakeUps.learn([['a', '1']]);
  expect(counted.woken).toBe(1);
});

it('a key that is not there has a version as well', () => {
  const waiter = wakeUps.add('a');
  wakeUps.learn([['a', null]]);
  expect([waiter.hasNews, waiter.version]).toEqual([true, null]);
});

it('the same version wakes no one, another wakes every waiter of its key', () => {
  const [one, other] = [counting(wakeUps.add('a')), counting(wakeUps.add('a'))];
  wakeUps.learn([['a', '1']]);
  wakeUps.learn([['a', '1']]);
  wakeUps.learn([['a', '2']]);
  expect([one.woken, other.woken]).toEqual([2, 2]);
});

it('a version wakes no one who waits for another key', () => {
  const [a, b] = [counting(wakeUps.add('a')), counting(wakeUps.add('b'))];
  wakeUps.learn([['b', '1']]);
  expect([a.woken, b.woken]).toEqual([0, 1]);
});

it('a waiter who comes later has the version at once, and is not woken by the same', () => {
  wakeUps.add('a');
  wakeUps.learn([['a', '1']]);
  const late = wakeUps.add('a');
  expect(late.hasNews).toBe(true);
  late.see();
  const counted = counting(late);
  wakeUps.learn([['a', '1']]);
  expect([late.hasNews, counted.woken]).toEqual([false, 0]);
});

it('a change after `see` is news, even if no one waited when it was learnt', () => {
  const waiter = wakeUps.add('a');
  wakeUps.learn([['a', '1']]);
  waiter.see();
  wakeUps.learn([['a', '2']]);
  expect(waiter.hasNews).toBe(true);
});

it('a waiter is called once for each time that it asks', () => {
  const waiter = wakeUps.add('a');
  let woken = 0;
  waiter.onNews(() => (woken += 1));
  wakeUps.learn([['a', '1']]);
  wakeUps.learn([['a', '2']]);
  expect(woken).toBe(1);
});

it('who has left is not woken, and a key without waiters is not watched', () => {
  const [stays, leaves] = [wakeUps.add('a'), wakeUps.add('b')];
  const counted = counting(leaves);
  leaves.leave();
  leaves.leave();
  wakeUps.learn([['b', '1']]);
  expect([wakeUps.keys, wakeUps.waiters, counted.woken]).toEqual([[['a', 'a']], 1, 0]);
  stays.leave();
  expect([wakeUps.keys, wakeUps.waiters]).toEqual([[], 0]);
});

it('a key that is watched again after all have left has no former version', () => {
  const gone = wakeUps.add('a');
  wakeUps.learn([['a', '1']]);
  gone.leave();
  expect(wakeUps.add('a').version).toBeUndefined();
});

it('the key of the last waiter is asked for', () => {
  const byName = new WakeUps<{ name: string; proof: number }>(({ name }) => name);
  byName.add({ name: 'a', proof: 1 });
  byName.add({ name: 'a', proof: 2 });
  expect(byName.keys).toEqual([['a', { name: 'a', proof: 2 }]]);
});
