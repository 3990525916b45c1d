/** The text of a kubeconfig with one context. Without a certificate, the server's is not verified. */
export function kubeconfigOf({
  url,
  token,
  context,
  certificate,
}: {
  url: string;
  token: string;
  context: string;
  certificate?: Buffer;
}): string {
  const trust = certificate
    ? { 'certificate-authority-data': certificate.toString('base64') }
    : // The client refuses plain http unless certificate checks are off.
      { 'insecure-skip-tls-verify': true };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    clusters: [{ name: 'c', cluster: { server: url, ...trust } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: context, context: { cluster: 'c', user: 'u' } }],
  });
}
