import { dataHead, finFrame, type FrameHandler, FrameReader, pingFrame } from './spdy';

/** Returns the events that a reader reports of frames that come in parts of this many bytes. */
function read(bytes: Buffer, partLength: number): string[] {
  const events: string[] = [];
  let text = '';
  const say = (event: string) => {
    if (text) events.push(`data ${text}`);
    text = '';
    events.push(event);
  };
  const handler: FrameHandler = {
    streamAccepted: (id) => say(`accepted ${id}`),
    data: (id, part) => (text += text ? part.toString() : `${id} ${part.toString()}`),
    streamEnded: (id) => say(`ended ${id}`),
    streamReset: (id) => say(`reset ${id}`),
    pinged: (id) => say(`ping ${id}`),
    goAway: () => say('go away'),
  };
  const reader = new FrameReader(handler);
  for (let at = 0; at < bytes.length; at += partLength) reader.read(bytes.subarray(at, at + partLength));
  say('over');
  return events;
}

const control = (type: number, payload: number[], flags = 0): Buffer =>
  Buffer.from([0x80, 3, 0, type, flags, 0, 0, payload.length, ...payload]);

const FRAMES = Buffer.concat([
  control(2, [0, 0, 0, 3]),
  dataHead(3, 5),
  Buffer.from('hello'),
  dataHead(3, 0),
  finFrame(3),
  pingFrame(7),
  // SETTINGS, which say nothing to a port forward.
  control(4, [0, 0, 0, 0]),
  control(3, [0, 0, 0, 5, 0, 0, 0, 1]),
  control(2, [0, 0, 0, 9], 1),
  control(7, [0, 0, 0, 9, 0, 0, 0, 0]),
]);
const EVENTS = [
  'accepted 3',
  'data 3 hello',
  'ended 3',
  'ping 7',
  'reset 5',
  'accepted 9',
  'ended 9',
  'go away',
  'over',
];

describe('the bytes of SPDY', () => {
  it.each([1, 2, 3, 7, 8, 9, 11, FRAMES.length])('are read in parts of %d bytes', (length) => {
    expect(read(FRAMES, length)).toEqual(EVENTS);
  });

  it('are each copied once, so that a long control frame in single bytes takes no long time', () => {
    let pings = 0;
    const handler = { pinged: () => (pings += 1) } as unknown as FrameHandler;
    const reader = new FrameReader(handler);
    const long = Buffer.concat([Buffer.from([0x80, 3, 0, 6, 0, 1, 0, 0]), Buffer.alloc(64 * 1024)]);
    const copies = jest.spyOn(Buffer.prototype, 'copy');
    const joined = jest.spyOn(Buffer, 'concat');
    for (const byte of long) reader.read(Buffer.from([byte]));
    const bytes = copies.mock.results.reduce((sum, { value }) => sum + (value as number), 0);
    const calls = joined.mock.calls.length;
    jest.restoreAllMocks();
    expect({ pings, bytes, calls }).toEqual({ pings: 1, bytes: long.length, calls: 0 });
  });

  it('end a stream with its last bytes', () => {
    const frame = Buffer.concat([dataHead(3, 3), Buffer.from('end')]);
    frame[4] = 1;
    expect(read(frame, 4)).toEqual(['data 3 end', 'ended 3', 'over']);
  });

  it.each([
    ['a control frame of 16 MiB', Buffer.from([0x80, 3, 0, 2, 0, 0xff, 0xff, 0xff])],
    ['an acceptance without a number', control(2, [1])],
  ])('are refused: %s', (_what, bytes) => {
    expect(() => read(bytes, bytes.length)).toThrow('it sent no SPDY');
  });
});
