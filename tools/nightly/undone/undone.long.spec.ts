import { verifierWorkerFile } from '@plat/testing';
import { embeddedVerifierConfig, Verifier } from '@plat/verifier';
import { judgeGenerated } from './generated';
import { CARELESS, HONEST, makeHistory } from './made-history';

jest.setTimeout(120_000);

describe('work that a landing takes back, in generated histories', () => {
  it('is found in each careless way, and honest work is not called sure', async () => {
    const verifier = new Verifier(embeddedVerifierConfig, { workerFile: await verifierWorkerFile() });
    const runs = CARELESS.length + HONEST.length;
    const { report, faults } = await judgeGenerated(verifier, { runs, seed: 11, only: undefined });
    await verifier.close();
    expect(faults).toEqual([]);
    expect(report).toContain('own side: 1 histories');
  });

  it.each(CARELESS)('is lost by construction: %s', (way) => {
    const lost = [1, 2, 3, 4, 5].flatMap((seed) => makeHistory(seed, way).lost);
    expect(lost.length).toBeGreaterThan(0);
  });

  it.each(HONEST.filter((way) => way !== 'revert'))('is not lost by construction: %s', (way) => {
    expect([1, 2, 3, 4, 5].flatMap((seed) => makeHistory(seed, way).lost)).toEqual([]);
  });
});
