import { publish } from './publish';

/** Refusals of each program, in recorded words. */
const SAID = {
  docker: {
    denied: 'unauthorized: authentication required',
    unreachable: 'Get "http://127.0.0.1:1/v2/": dial tcp 127.0.0.1:1: connect: connection refused',
    unknown: 'Get "https://nosuch.invalid/v2/": dial tcp: lookup nosuch.invalid on 10.0.0.1:53: no such host',
  },
  buildah: {
    denied:
      'Error: pushing image "localhost/app:1" to "docker://127.0.0.1:5078/x:1": trying to reuse blob sha256:45f3 at destination: unable to retrieve auth token: invalid username/password: unauthorized',
    unreachable:
      'Error: pushing image "localhost/app:1" to "docker://127.0.0.1:1/x:1": trying to reuse blob sha256:45f3 at destination: pinging container registry 127.0.0.1:1: Get "http://127.0.0.1:1/v2/": dial tcp 127.0.0.1:1: connect: connection refused',
  },
};

describe('a push that fails', () => {
  const push = (said: string, isPlatforms = false) => {
    const workbench = { folder: '/', interrupted: new AbortController().signal, output: () => undefined };
    const command = { argv: ['/bin/sh', '-c', 'echo "$0" >&2; exit 1', said] };
    return publish(workbench, [command], { registry: 'r.example/team', isPlatforms });
  };

  it.each([SAID.docker.denied, SAID.buildah.denied, 'denied: requested access to the resource is denied'])(
    'names the sign-in if the registry denies it: %s',
    async (said) => {
      const denied = {
        code: 'REGISTRY_DENIED',
        next: 'docker login r.example',
        details: { registry: 'r.example/team' },
      };
      await expect(push(said)).rejects.toMatchObject(denied);
      await expect(push(said, true)).rejects.toMatchObject({
        code: 'REGISTRY_DENIED',
        next: 'plat cloud login',
      });
    },
  );

  it.each([SAID.docker.unreachable, SAID.docker.unknown, SAID.buildah.unreachable])(
    'names the address if the registry does not answer: %s',
    async (said) => {
      await expect(push(said)).rejects.toMatchObject({ code: 'REGISTRY_UNREACHABLE' });
    },
  );

  it.each([
    'failed to do request: Head "https://r.example/v2/": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'pinging container registry r.example: Get "https://r.example/v2/": x509: certificate signed by unknown authority',
    'Get "https://r.example/v2/": tls: failed to verify certificate: x509: “Acme CA” certificate is not trusted',
  ])(
    'names the authority if the builder does not trust it, since the network is not at fault: %s',
    async (said) => {
      await expect(push(said)).rejects.toMatchObject({
        code: 'CERTIFICATE_NOT_TRUSTED',
        details: { registry: 'r.example/team' },
        next: "give the builder your organisation's authority (docs/private-authority.md), then repeat the command",
      });
    },
  );

  it('shows any other output of the builder, without passwords', async () => {
    const failed = push('blob upload unknown to https://me:secret@r.example');
    await expect(failed).rejects.toMatchObject({
      code: 'PUSH_FAILED',
      message: expect.stringContaining('blob upload unknown to https://r.example'),
    });
  });
});
