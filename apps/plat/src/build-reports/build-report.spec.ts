import { buildReport } from './build-report';

describe('the report of a build', () => {
  it('has no token in its failure detail', () => {
    const { failureDetail } = buildReport({
      gate: true,
      failed: true,
      commitId: 'a'.repeat(40),
      failureDetail: `push to https://ci:${'x'.repeat(2000)}@git.example.com/app failed`,
    });
    expect(failureDetail).toBe('push to https://git.example.com/app failed');
  });
});
