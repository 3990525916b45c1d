import { hostname } from 'node:os';
import { processSpace } from '@plat/local';
import { isLive, type Lease, renewed, ttlSeconds } from './lease';

const HOUR = 3_600_000;
const TAKEN = new Date('2026-01-02T03:04:05.000Z');
const after = (milliseconds: number) => new Date(TAKEN.getTime() + milliseconds);

function lease(fields: Partial<Lease> = {}): Lease {
  const takenAt = TAKEN.toISOString();
  const expiresAt = after(300_000).toISOString();
  return { leaseId: 'l', scope: 'worktree', holder: 'alice', takenAt, expiresAt, ttlSeconds: 300, ...fields };
}

describe('a lease', () => {
  it('lasts 15 m, or 5 m if it is exclusive, and at most 12 h', () => {
    expect(ttlSeconds(undefined, false)).toBe(900);
    expect(ttlSeconds(undefined, true)).toBe(300);
    expect(ttlSeconds(43_200, true)).toBe(43_200);
    for (const asked of [43_201, 0]) expect(() => ttlSeconds(asked, true)).toThrow('12 hours');
  });

  it('expires without renewal', () => {
    expect(isLive(lease(), after(299_999))).toBe(true);
    expect(isLive(lease(), after(300_000))).toBe(false);
  });

  it('ends with its process; a process that may not be signalled is alive', () => {
    expect(isLive(lease({ pid: process.pid }), TAKEN)).toBe(true);
    expect(isLive(lease({ pid: 1 }), TAKEN)).toBe(true);
    expect(isLive(lease({ pid: 999_999_999 }), TAKEN)).toBe(false);
  });

  it('of a process in another container ends with its expiry, because its id means nothing here', () => {
    const space = `${hostname()}-2/boot/pid:[1]`;
    for (const pid of [process.pid, 999_999_999]) {
      expect(isLive(lease({ pid, space }), TAKEN)).toBe(true);
      expect(isLive(lease({ pid, space }), after(300_000))).toBe(false);
    }
    expect(isLive(lease({ pid: 999_999_999, space: processSpace() }), TAKEN)).toBe(false);
  });

  it('is renewed for its term, but never beyond 12 h after it was taken', () => {
    expect(renewed(lease(), after(HOUR)).expiresAt).toBe(after(HOUR + 300_000).toISOString());
    expect(renewed(lease(), after(12 * HOUR - 1)).expiresAt).toBe(after(12 * HOUR).toISOString());
    expect(() => renewed(lease(), after(12 * HOUR))).toThrow('held for 12 hours');
  });
});
