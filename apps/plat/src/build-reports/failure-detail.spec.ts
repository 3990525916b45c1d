import fc from 'fast-check';
import { REASON_BYTES_MAX } from '@plat/contracts/core';
import { cutDetail } from './failure-detail';

describe('the detail of a failure', () => {
  it("stays as it is within the contract's limit", () => {
    for (const detail of ['', '3 tests failed', 'x'.repeat(REASON_BYTES_MAX)]) {
      expect(cutDetail(detail)).toBe(detail);
    }
  });

  it('is text that the platform takes, whatever a program of a branch has printed', () => {
    expect(cutDetail('a\ud83db\0c\ude00')).toBe('a\ufffdbc\ufffd');
  });

  it('is cut in the middle and marked if it is longer', () => {
    const cut = cutDetail(`first failure\n${'log line\n'.repeat(10_000)}exit code 1`);
    expect(cut).toMatch(/^first failure\n/);
    expect(cut).toMatch(/\[… \d+ bytes are left out …\]/);
    expect(cut).toMatch(/exit code 1$/);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(REASON_BYTES_MAX);
  });

  it('is never longer than the limit, never breaks a character, and names the exact number of missing bytes', () => {
    fc.assert(
      fc.property(
        // The replacement character is a valid character, but would look like a broken one here.
        fc
          .string({ unit: 'grapheme', minLength: 60, maxLength: 400 })
          .filter((text) => !text.includes('\ufffd')),
        fc.integer({ min: 60, max: 120 }),
        (detail, max) => {
          const cut = cutDetail(detail, max);
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
          expect(cut).not.toContain('\ufffd');
          const left = /\n\[… (\d+) bytes are left out …\]\n/.exec(cut);
          if (!left) return expect(cut).toBe(detail);
          const kept = cut.replace(left[0], '');
          return expect(Buffer.byteLength(kept) + Number(left[1])).toBe(Buffer.byteLength(detail));
        },
      ),
    );
  });
});
