import type { LedgerCheck } from '../landings/ledger-row';
import { LandingStand } from './landing-stand';

/** Stands for the cases of a spec about `plat ledger check`. They are removed behind its last case. */
export function landingStands(): () => Promise<LandingStand> {
  const stands: LandingStand[] = [];
  afterAll(() => Promise.all(stands.map(({ signedIn }) => signedIn.dispose())));
  return async () => {
    const stand = await LandingStand.create();
    stands.push(stand);
    return stand;
  };
}

/** Runs `plat ledger check`. `verdicts` has the verdict and the name of each row. */
export async function checkLandings(stand: LandingStand, ...args: string[]) {
  const run = await stand.check(...args);
  const check = run.json<LedgerCheck>();
  const verdicts = check.rows?.map(({ verdict, name, subject }) => `${verdict} ${name ?? subject}`);
  return { code: run.code, check, verdicts, stderr: run.stderr };
}
