import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { checkoutFolder } from '../checkout/checkout-lock';
import { readEnvironment } from '../environment';
import { gitIn } from '../git/git';
import { leasesIn } from '../leases/claims';
import { type DriveOrder, startDrive } from './start-drive';

describe('the start of a drive', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-start-'));
    checkout = await GateCheckout.create({ home } as Machine);
    await checkout.git('config', 'user.name', 'Test');
    await checkout.git('config', 'user.email', 'test@example.com');
  });
  afterEach(() => rm(home, { recursive: true }));

  /** A drive whose platform fails the test if a review is read. */
  const start = (folder: string) => {
    const unasked = new Proxy({} as Record<string, unknown>, {
      get(_api, name): unknown {
        if (name === 'interruptedBy') return () => unasked;
        throw new Error('the platform was asked');
      },
    });
    const platform = { api: unasked, alias: { apiUrl: 'https://api.example.com' } };
    const { signal: interrupted } = new AbortController();
    const order = {
      folder,
      environment: readEnvironment({ HOME: home }),
      platform,
      targetBranch: 'main',
      interrupted,
      note: () => undefined,
      progress: (_step: string, work: Promise<unknown>) => work,
    };
    return startDrive(order as unknown as DriveOrder);
  };
  const leases = async () => leasesIn(await checkoutFolder(gitIn(checkout.folder)));

  it('is refused outside a checkout', async () => {
    await expect(start(home)).rejects.toMatchObject({ code: 'NOT_A_CHECKOUT' });
  });

  it('is refused while another holder has claimed the checkout, whose claim stays', async () => {
    const store = await leases();
    const request = { scope: 'environment', holder: 'somebody', pid: process.pid } as const;
    const { leaseId } = await store.take(request);
    await expect(start(checkout.folder)).rejects.toMatchObject({ code: 'CLAIMED' });
    expect(await store.list()).toMatchObject([{ leaseId }]);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['git does not know who commits', () => checkout.git('config', 'user.name', ''), 'NO_IDENTITY'],
    [
      'commits are signed without a key',
      () => checkout.git('config', 'commit.gpgSign', 'true'),
      'CANNOT_SIGN',
    ],
    [
      'origin has no such target',
      () => checkout.git('remote', 'set-url', 'origin', home),
      'REMOTE_UNREADABLE',
    ],
  ])('is refused before any review is read if %s, and its claim is released', async (_why, make, code) => {
    await checkout.git('config', 'user.signingKey', 'none');
    await make();
    await expect(start(checkout.folder)).rejects.toMatchObject({ code });
    expect(await (await leases()).list()).toEqual([]);
  });

  it('reads no review before the claim and the checkout are its own', async () => {
    await expect(start(checkout.folder)).rejects.toThrow('the platform was asked');
    expect(await (await leases()).list()).toEqual([]);
  });
});
