import { DriveBench } from '../black-box/drive-bench';
import { readEnvironment } from '../environment';
import { checkoutFolder } from '../gate/checkout-lock';
import { gitIn } from '../gate/git';
import { leasesIn } from '../leases/claims';
import { isGateRunLeft } from './left-gate-run';

const GATE_RUN_ID = '0198f2a4-9999-7c3e-9d0b-5b1f0c9a2e11';

describe('whether a gate run was left by a drive that has ended', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  const isLeft = (gateRunId = GATE_RUN_ID, folder = bench.checkout.folder) =>
    isGateRunLeft(folder, readEnvironment({ HOME: bench.home }), { targetBranch: 'main', gateRunId });

  it('is so if the checkout has the state of the drive and no process claims it', async () => {
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    expect(await isLeft()).toBe(true);
    const store = leasesIn(await checkoutFolder(gitIn(bench.checkout.folder)));
    await store.take({ scope: 'environment', holder: 'plat drive', pid: process.pid });
    expect(await isLeft()).toBe(false);
  });

  it('is not so of a run of another checkout, of a decided one, and outside a checkout', async () => {
    expect(await isLeft()).toBe(false);
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    expect(await isLeft('0198f2a4-8888-7c3e-9d0b-5b1f0c9a2e11')).toBe(false);
    expect(await isLeft(GATE_RUN_ID, bench.home)).toBe(false);
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID, verdict: { successful: true } }));
    expect(await isLeft()).toBe(false);
  });
});
