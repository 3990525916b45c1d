import { ForwardingApi, type PodStream } from '@plat/testing';
import { loadClusterLibrary } from './black-box/cluster-library';
import { ClusterAccess } from './cluster-access';
import { ClusterApi } from './cluster-api';
import type { PodConnection } from './pod-connection';
import { PodSession } from './pod-session';

const PORT = 9000;
/** The streams of the first connection. */
const FIRST = { errorId: 1, dataId: 3 };
const never = new AbortController().signal;

loadClusterLibrary();

let api: ForwardingApi;
let access: ClusterAccess;
let session: PodSession;
let streams: PodStream[];
let events: string[];

beforeEach(async () => {
  api = await ForwardingApi.start();
  [streams, events] = [[], []];
  api.addService('acme-dev', 'acme-api', { port: PORT, pod: ({ stream }) => void streams.push(stream) });
  access = new ClusterAccess({ paths: [api.kubeconfig], context: api.context });
  const cluster = new ClusterApi(access);
  session = new PodSession(
    await cluster.dial('/api/v1/namespaces/acme-dev/pods/acme-api-0/portforward', never),
  );
});
afterEach(async () => {
  session.terminate();
  access.close();
  await api.stop();
});

let said: () => void = () => undefined;
/** A connection whose events are noted under its name. */
async function open(name: string): Promise<PodConnection> {
  const connection = await session.connect(PORT, never);
  const note = (event: string) => {
    events.push(`${name} ${event}`);
    said();
  };
  connection.listen({
    data: (data) => note(`got ${data.toString()}`),
    ended: () => note('ended'),
    failed: (message) => note(`failed: ${message}`),
    answered: () => undefined,
  });
  return connection;
}

/** The events, once there are so many. */
async function eventsOnce(count: number): Promise<string[]> {
  while (events.length < count) await new Promise<void>((resolve) => (said = resolve));
  return events;
}

describe('a session', () => {
  it('takes no second connection while the program of the first may send', async () => {
    await open('first');
    expect(session.isUsable).toBe(false);
    await expect(session.connect(PORT, never)).rejects.toThrow('has ended');
  });

  it('takes the next connection once the program sends no more; the first one still gets its reply', async () => {
    (await open('first')).spare();
    await open('second');
    streams[1]!.send(Buffer.from('two'));
    streams[0]!.send(Buffer.from('one'));
    streams[0]!.end();
    expect(await eventsOnce(3)).toEqual(['second got two', 'first got one', 'first ended']);
  });

  it('answers pings, and keeps few answers for a node that sends pings faster than it reads', async () => {
    const sent = jest.spyOn(session.webSocket, 'send');
    for (let id = 0; id < 20_000; id += 2) session.pinged(id);
    session.pinged(1);
    expect(sent).toHaveBeenCalledTimes(16);
    expect(session.waiting).toBeLessThan(1024);
    // The answers are on their way once a later one is.
    await new Promise<void>((flushed) => session.send(Buffer.alloc(0), flushed));
    session.pinged(2);
    expect(sent).toHaveBeenCalledTimes(18);
  });

  it('takes none any more if the reply goes on after that', async () => {
    const first = await open('first');
    let claimed = 0;
    session.onClaimed = () => (claimed += 1);
    first.spare();
    streams[0]!.send(Buffer.from('more'));
    await eventsOnce(1);
    expect([session.isUsable, claimed]).toEqual([false, 1]);
  });

  it('gives a connection that is cut up alone: the others go on', async () => {
    const first = await open('first');
    first.spare();
    await open('second');
    const reset = new Promise<void>((resolve) => (streams[0]!.onReset = resolve));
    first.terminate();
    await reset;
    streams[1]!.send(Buffer.from('two'));
    expect(await eventsOnce(1)).toEqual(['second got two']);
  });

  it('passes the reason of a failure to the connection that failed alone', async () => {
    (await open('first')).spare();
    await open('second');
    streams[0]!.fail('lost');
    streams[1]!.send(Buffer.from('two'));
    expect(await eventsOnce(2)).toEqual(['first failed: lost', 'second got two']);
    expect(session.isUsable).toBe(false);
  });

  it('that is retired ends with its last connection, not before', async () => {
    const first = await open('first');
    const closed = new Promise<void>((resolve) => session.webSocket.once('close', () => resolve()));
    session.retire();
    streams[0]!.send(Buffer.from('one'));
    streams[0]!.end();
    expect(await eventsOnce(2)).toEqual(['first got one', 'first ended']);
    first.end();
    await closed;
  });

  it('gives up at the node, too, what was not accepted in time while another connection works', async () => {
    (await open('first')).spare();
    const reset = new Promise<void>((resolve) => {
      api.pods.get('acme-dev/acme-api-0')!.ports[PORT] = ({ stream }) => (stream.onReset = resolve);
    });
    const late = new AbortController();
    const second = session.connect(PORT, late.signal);
    late.abort(new Error('late'));
    await expect(second).rejects.toThrow('late');
    await reset;
    streams[0]!.send(Buffer.from('one'));
    expect(await eventsOnce(1)).toEqual(['first got one']);
  });

  it('passes on a reason whose parts come in the middle of a character', async () => {
    await open('first');
    const reason = Buffer.from('für nichts');
    session.data(FIRST.errorId, reason.subarray(0, 2));
    session.data(FIRST.errorId, reason.subarray(2));
    session.streamEnded(FIRST.errorId);
    expect(events).toEqual(['first failed: für nichts']);
  });

  it('stays paused if the listener cannot take what came before it listened', async () => {
    const connection = await session.connect(PORT, never);
    session.data(FIRST.dataId, Buffer.from('early'));
    const ignore = () => undefined;
    connection.listen({ data: () => connection.pause(), ended: ignore, failed: ignore, answered: ignore });
    expect(connection.isPaused).toBe(true);
  });

  it('judges none by a ping that waits behind what the pod of another connection does not read', async () => {
    const first = await open('first');
    first.spare();
    const second = await open('second');
    second.send(Buffer.alloc(100_000), () => undefined);
    expect(first.isBlocked).toBe(true);
    streams[1]!.send(Buffer.from('read'));
    await eventsOnce(1);
    expect(first.isBlocked).toBe(false);
  });
});
