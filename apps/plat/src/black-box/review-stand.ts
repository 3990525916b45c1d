import type { Review } from '@plat/api-client';
import { GateCheckout } from './gate-checkout';
import type { Machine } from './plat-process';
import { signedInMachine } from './signed-in';

export const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
export const BUILD_ID = '0198f2a4-8b72-7d4f-8e1c-6c2a1d0b3f22';
export const COMMIT = 'a'.repeat(40);
export const REPOSITORY = 'https://git.example.com/acme/app';

export function review(fields: Partial<Review> = {}): Review {
  const createdAt = '2026-01-02T03:04:05.000Z';
  return {
    reviewId: ID,
    tenantId: ID,
    authorUserId: ID,
    name: 'Add limits',
    repository: REPOSITORY,
    sourceBranch: 'feature/42-limits',
    targetBranch: 'main',
    status: 'READY',
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}

type ReviewStand = Awaited<ReturnType<typeof signedInMachine>> & {
  /** Runs a command with `--json`. */
  plat: (...args: string[]) => ReturnType<Machine['plat']>;
};

/** Signed-in machines for the cases of a spec. They are removed behind its last case. */
export function reviewStands(): () => Promise<ReviewStand> {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));
  return async () => {
    const stand = await signedInMachine();
    disposals.push(stand.dispose);
    return { ...stand, plat: (...args) => stand.machine.plat([...args, '--json']) };
  };
}

/** A checkout whose origin is the repository, with a token in its address. */
export async function checkoutOf({ machine }: ReviewStand) {
  const checkout = await GateCheckout.create(machine);
  await checkout.git('remote', 'set-url', 'origin', 'https://me:hunter2@git.example.com/acme/app.git');
  const plat = (...args: string[]) => machine.plat([...args, '--json'], { cwd: checkout.folder });
  return { checkout, plat };
}
