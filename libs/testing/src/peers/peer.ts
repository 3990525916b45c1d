/** The programs of other people that tests may start. `tools/peers/table.mjs` says which packages bring them. */
export type PeerProgram =
  | 'pdns_server'
  | 'pdnsutil'
  | 'sqlite3'
  | 'libgsqlite3backend.so'
  | 'knotd'
  | 'knotc'
  | 'named'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubelet'
  | 'kube-scheduler'
  | 'forward-node'
  | 'cert-manager.io_certificates.yaml'
  | 'cert-manager.io_issuers.yaml'
  | 'gateway.networking.k8s.io_gateways.yaml'
  | 'gateway.networking.k8s.io_httproutes.yaml'
  | 'monitoring.coreos.com_prometheusrules.yaml'
  | 'monitoring.coreos.com_servicemonitors.yaml'
  | 'postgresql.cnpg.io_clusters.yaml'
  | 'postgresql.cnpg.io_poolers.yaml'
  | 'traefik/Chart.yaml'
  | 'traefik/crds/traefik.io_middlewares.yaml'
  | 'tofu'
  | 'terraform-provider-kubectl'
  | 'pebble'
  | 'containerd'
  | 'ctr'
  | 'runc'
  | 'bridge'
  | 'host-local'
  | 'loopback'
  | 'ip'
  | 'iptables'
  | 'kubectl'
  | 'helm3'
  | 'helm4'
  | 'cyclonus'
  | 'pgbouncer'
  | 'pgbouncer-newer'
  | 'initdb'
  | 'postgres'
  | 'psql'
  | 'pg_dump'
  | 'pg_restore'
  | 'pg_basebackup'
  | 'pg_verifybackup'
  | 'initdb-16'
  | 'postgres-16'
  | 'initdb-17'
  | 'postgres-17'
  | 'pg_dump-18'
  | 'nginx'
  | 'prometheus'
  | 'promtool'
  | 'chromium'
  | 'buildah'
  | 'docker'
  | 'docker-buildx'
  | 'dockerd'
  | 'docker-registry'
  | 'skopeo'
  | 'busybox'
  | 'prism'
  | 'attestation-judge'
  | 'cosign'
  | 'log-judge'
  | 'tessera-fsck'
  | 'squawk'
  | 'zsh'
  | 'fish'
  | 'sshd'
  | 'ssh-keygen'
  | 'tini'
  | 'ssh';

/**
 * The absolute path of a program that `npm run test:peers` found, installed or built.
 *
 * @throws Error when this run was not set up for it
 */
export function peer(program: PeerProgram): string {
  const path = found()[program];
  if (path !== undefined) return path;
  throw new Error(
    `There is no ${program}: run this test by npm run test:peers, and name what brings the program in the first ` +
      'comment of its file, as tools/peers/table.mjs calls it (/** @peers powerdns */).',
  );
}

/** Whether this run was set up for a program: of a test that shows more with it. */
export const hasPeer = (program: PeerProgram): boolean => found()[program] !== undefined;

const found = () => JSON.parse(process.env.PLAT_PEERS ?? '{}') as Partial<Record<PeerProgram, string>>;
