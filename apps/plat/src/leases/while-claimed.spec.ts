import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LeaseStore } from './lease-store';
import { whileClaimed } from './while-claimed';

describe('work under a claim', () => {
  let folder: string;
  let leases: LeaseStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-leases-'));
    leases = new LeaseStore(join(folder, 'leases'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const request = { scope: 'environment', holder: 'drive', ttlSeconds: 1 } as const;
  const aborted = (signal: AbortSignal) =>
    new Promise<Error>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason as Error)));

  it('renews the claim while it lasts, and releases it', async () => {
    const [first, later] = await whileClaimed({
      leases,
      request,
      work: async () => {
        const begun = (await leases.list())[0]?.expiresAt;
        let now = begun;
        while (now === begun) now = (await leases.list())[0]?.expiresAt;
        return [begun, now];
      },
    });
    expect(Date.parse(later ?? '')).toBeGreaterThan(Date.parse(first ?? ''));
    expect(await leases.list()).toEqual([]);
  });

  it('is aborted if the claim is lost', async () => {
    const work = async (leaseId: string, lost: AbortSignal) => {
      const ended = aborted(lost);
      await leases.release(leaseId);
      return ended;
    };
    expect(await whileClaimed({ leases, request, work })).toMatchObject({ code: 'CLAIM_LOST' });
  });

  it('renews the caller’s own claim and leaves it to the caller', async () => {
    const { leaseId } = await leases.take({ ...request, ttlSeconds: 60 });
    expect(
      await whileClaimed({ leases, request, underLease: leaseId, work: (id) => Promise.resolve(id) }),
    ).toBe(leaseId);
    expect(await leases.list()).toMatchObject([{ leaseId }]);
  });

  it('releases the claim if it fails, and does nothing if another holder has it', async () => {
    const work = jest.fn().mockRejectedValue(new Error('no'));
    await expect(whileClaimed({ leases, request, work })).rejects.toThrow('no');
    await leases.take({ ...request, ttlSeconds: 60 });
    await expect(whileClaimed({ leases, request, work })).rejects.toMatchObject({ code: 'CLAIMED' });
    expect(work).toHaveBeenCalledTimes(1);
  });
});
