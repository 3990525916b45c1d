import { clusterFailure } from './cluster-failure';

describe('the failure of a call of kubectl', () => {
  const failure = (stderr: string) =>
    clusterFailure(['kubectl', 'get', 'pods'], { code: 1, stdout: '', stderr });

  it('is determined by the end of what an API server says', () => {
    const endless = 'admission webhook connection to the server '.repeat(1_500_000);
    const { code, message } = failure(`${endless}\nError from server (Forbidden): pods is forbidden\n`);
    expect(code).toBe('CLUSTER_REFUSED');
    expect(message).toContain('pods is forbidden');
    expect(message.length).toBeLessThan(20_000);
  });
});
