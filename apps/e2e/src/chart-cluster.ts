import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { LOGIN_ROLES } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { workspaceRoot } from '@plat/local';
import {
  buildPrograms,
  chartObject,
  type ChartPod,
  execFile,
  makeLocal,
  makeSelfSignedCertificate,
  newSigningKey,
  type Programs,
  type ServerProcess,
  serveTls,
  startServer,
  testDirectory,
  TokenIssuer,
} from '@plat/testing';

const CASE = 'cloudnativepg';
const PASSWORD = 'of-the-chart';
const [RECEIPT_KEY, LEDGER_KEY] = [newSigningKey(), newSigningKey()];

interface ClusterSpec {
  bootstrap: { initdb: { database: string; owner: string; postInitSQL: string[] } };
}

/** The exit code and the output of a program. */
export interface Ended {
  code: number;
  output: string;
}

/**
 * Everything that the chart renders with a database of its own, as processes of this machine: the owner as the operator
 * makes it, a database that is reached over TLS alone, the job, the services, and `helm test`.
 */
export class ChartCluster {
  readonly services = new Map<ServiceName, ServerProcess>();

  /** Functions that end the parts, the newest last. */
  private readonly closing: (() => unknown)[] = [];
  private front!: Server;
  private authority!: string;
  private programs!: Programs;
  issuer!: TokenIssuer;

  private constructor(private readonly folder: string) {
    this.closing.push(() => rm(folder, { recursive: true }));
  }

  static async start(): Promise<ChartCluster> {
    const cluster = new ChartCluster(await mkdtemp(join(tmpdir(), 'plat-chart-cluster-')));
    try {
      await cluster.open();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  private async open(): Promise<void> {
    const outdir = join(this.folder, 'programs');
    this.programs = await buildPrograms(workspaceRoot(), outdir);
    const build = [join(workspaceRoot(), 'tools', 'build', 'build.mjs'), 'tools/db', join(outdir, 'db')];
    await promisify(execFile)(process.execPath, build, { cwd: workspaceRoot() });
    const postgres = await startCluster({ dataDir: join(this.folder, 'postgres'), durable: false });
    this.closing.push(() => postgres.stop());
    await bootstrap(postgres.url());
    const own = await makeSelfSignedCertificate();
    this.authority = own.cert;
    this.front = await serveTls(own, postgres.port);
    this.closing.push(() => this.front.close());
    this.issuer = await TokenIssuer.start();
    this.closing.push(() => this.issuer.stop());
  }

  /** Runs the containers of a Job, one after the other. @returns the first that failed, or the last */
  async runJob(name: string): Promise<Ended> {
    const pod = chartObject('Job', name, CASE).spec.template.spec;
    let ended: Ended = { code: 0, output: '' };
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      const { args, environment } = await this.local(pod, container.name, 'plat_owner');
      ended = await run([join(this.folder, 'programs', 'db', 'main.js'), ...args], environment);
      if (ended.code !== 0) return ended;
    }
    return ended;
  }

  async startServices(): Promise<void> {
    for (const service of SERVICES) {
      const pod = chartObject('Deployment', `plat-${service}`, CASE).spec.template.spec;
      const { environment } = await this.local(pod, service, LOGIN_ROLES[service]);
      const { PORT: _ofTheCluster, ...variables } = environment;
      const server = await startServer({
        args: [this.programs[service]],
        environment: { ...variables, ALLOW_HTTP_ISSUERS: 'true', VERIFIER_ALLOW_LOCAL: 'true' },
        logFile: join(this.folder, `${service}.log`),
      });
      this.services.set(service, server);
    }
  }

  /** Runs the pod of `helm test`, for which each Service is a process of this machine. */
  async test(): Promise<Ended> {
    const { command, args } = await makeLocal(chartObject('Pod', 'plat-test', CASE).spec, 'test', {
      folder: this.folder,
      contents: {},
    });
    const addresses = args.map((address) =>
      address.replace(/^http:\/\/plat-(\w+)/, (_, name: ServiceName) => this.services.get(name)!.url),
    );
    return run([...command.slice(1), ...addresses], {});
  }

  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((server) => server.stop()));
    for (const close of this.closing.reverse()) await close();
  }

  /** Makes a container's arguments and variables, with the Secrets and authority of an operator and CloudNativePG. */
  private local(pod: ChartPod, name: string, login: string) {
    const { port } = this.front.address() as AddressInfo;
    const url = `postgres://${login}:${PASSWORD}@localhost:${port}/plat`;
    const passwords = Object.values(LOGIN_ROLES).map((role) => [`${role.toUpperCase()}_PASSWORD`, PASSWORD]);
    return makeLocal(pod, name, {
      folder: join(this.folder, login, name),
      contents: {
        ...(Object.fromEntries(passwords) as Record<string, string>),
        uri: url,
        DATABASE_URL: url,
        'ca.crt': this.authority,
        'directory.yaml': JSON.stringify(testDirectory(this.issuer.url)),
        MERGE_RECEIPT_KEY: RECEIPT_KEY,
        LEDGER_KEY,
      },
    });
  }
}

/** Does the work of CloudNativePG on the rendered Cluster: the owner, the statements after that, then the database. */
async function bootstrap(superuserUrl: string): Promise<void> {
  const { spec } = chartObject('Cluster', 'plat-postgresql', CASE) as unknown as { spec: ClusterSpec };
  const { database, owner, postInitSQL } = spec.bootstrap.initdb;
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const statements = [
    `CREATE ROLE ${owner} LOGIN PASSWORD '${PASSWORD}'`,
    ...postInitSQL,
    `CREATE DATABASE ${database} OWNER ${owner}`,
  ];
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Runs node with an environment of its own. */
function run(args: string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}
