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

  it('is no unreachable cluster if this machine does not trust its authority', () => {
    const { code, next } = failure(
      'Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    );
    expect([code, next]).toEqual([
      'CERTIFICATE_NOT_TRUSTED',
      "name the cluster's authority in the kubeconfig (docs/private-authority.md), then repeat the command",
    ]);
  });

  it('has no part of a token, wherever the report is cut', () => {
    for (let length = 16_000; length < 17_000; length += 100) {
      const { message } = failure(
        `${'x '.repeat(20_000)}https://ci:${'T'.repeat(length)}@git.example is gone`,
      );
      expect(message).toContain('https://git.example is gone');
      expect(message).not.toContain('TT');
    }
  });
});
