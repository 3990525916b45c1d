import { constants, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { inflate } from './inflate';

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
  it('refuses a damaged stream, or reads it as zlib does', () => {
    fc.assert(
      fc.property(
        streams,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        ({ content, stream }, place, damage) => {
          const damaged = Buffer.from(stream);
          damaged[place % stream.length]! ^= damage;
          const found = attempt(() => inflate(damaged, 0, content.length).content);
          if (found !== undefined) expect(found).toEqual(attempt(() => inflateSync(damaged)));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
