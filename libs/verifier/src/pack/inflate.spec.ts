import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from './inflate';

const TRAILER = Buffer.from('what follows in the pack');

/** Bytes that repeat themselves, as text does, and bytes that do not. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(
      fc.tuple(fc.constantFrom('tree ', 'parent ', 'author A <a@b>\n', 'x', 'é', '\0'), fc.nat({ max: 60 })),
      {
        maxLength: 20,
      },
    )
    .map((parts) => Buffer.from(parts.map(([text, count]) => text.repeat(count)).join(''))),
  fc.nat({ max: 6_000 }).map((length) => Buffer.alloc(length, 'content ')),
);
const streams = fc
  .record({
    content: contents,
    level: fc.integer({ min: 0, max: 9 }),
    strategy: fc.constantFrom(
      constants.Z_DEFAULT_STRATEGY,
      constants.Z_FIXED,
      constants.Z_HUFFMAN_ONLY,
      constants.Z_RLE,
    ),
    windowBits: fc.integer({ min: 9, max: 15 }),
  })
  .map(({ content, ...options }) => ({ content, stream: deflateSync(content, options) }));

describe('inflate', () => {
  it('returns the deflated content for every encoding, and the end of the stream', () => {
    fc.assert(
      fc.property(streams, fc.nat({ max: 9 }), ({ content, stream }, before) => {
        const pack = Buffer.concat([Buffer.alloc(before, 0xff), stream, TRAILER]);
        expect(inflate(pack, before, content.length)).toEqual({ content, end: before + stream.length });
      }),
      { numRuns: 500 },
    );
  });

  it('refuses any other size than the declared one, and a truncated stream', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 300 }), fc.nat(), ({ content, stream }, more, cut) => {
        expect(() => inflate(stream, 0, content.length + more)).toThrow(/size|malformed/);
        if (content.length >= more) {
          expect(() => inflate(stream, 0, content.length - more)).toThrow(/size|malformed/);
        }
        expect(() => inflate(stream.subarray(0, cut % stream.length), 0, content.length)).toThrow(
          'malformed',
        );
      }),
      { numRuns: 300 },
    );
  });
});
