import type { PodTunnel } from '@plat/testing';
import { loadClusterLibrary } from './black-box/cluster-library';
import { firstBytes, ForwardStand } from './black-box/forward-stand';

const MIB = 1024 * 1024;
/** MiB: far more than the buffers of the system hold. */
const MANY = 40;

loadClusterLibrary();

let stand: ForwardStand;
afterEach(() => stand.stop());

const dials = () => stand.api.requests.filter((request) => request.startsWith('DIAL'));

/** A pod whose connections are taken in order. */
function tunnelsOf(): () => Promise<PodTunnel> {
  const come: PodTunnel[] = [];
  let notify: () => void = () => undefined;
  stand.addService((tunnel) => {
    come.push(tunnel);
    notify();
  });
  return async () => {
    while (come.length === 0) await new Promise<void>((resolve) => (notify = resolve));
    return come.shift()!;
  };
}

describe('a connection whose program sends no more', () => {
  it('shares no session before the pod replies: no one waits for the reader of that reply', async () => {
    stand = await ForwardStand.start();
    const next = tunnelsOf();
    const slow = await stand.connect({ allowHalfOpen: true });
    slow.pause();
    const first = await next();
    const asked = new Promise<void>((resolve) => (first.stream.onData = () => resolve()));
    slow.end('request');
    await asked;
    const quick = await stand.connect();
    const second = await next();
    for (let at = 0; at < MANY; at += 1) first.stream.send(Buffer.alloc(MIB));
    second.stream.send(Buffer.from('two'));
    expect(await firstBytes(quick)).toBe('two');
    expect(dials()).toHaveLength(2);
  });

  it('keeps no other waiting for the rest of a reply that it does not read', async () => {
    stand = await ForwardStand.start();
    const next = tunnelsOf();
    const slow = await stand.connect({ allowHalfOpen: true });
    const first = await next();
    first.stream.send(Buffer.from('one'));
    expect(await firstBytes(slow)).toBe('one');
    slow.pause();
    slow.end();
    let quick = await stand.connect();
    let second = await next();
    // Until the forward has seen that end.
    while (second.streams !== first.streams) {
      quick = await stand.connect();
      second = await next();
    }
    for (let at = 0; at < 6; at += 1) first.stream.send(Buffer.alloc(MIB));
    second.stream.send(Buffer.from('two'));
    expect(await firstBytes(quick)).toBe('two');
    expect(first.stream.webSocket).toBe(second.stream.webSocket);
  });
});
