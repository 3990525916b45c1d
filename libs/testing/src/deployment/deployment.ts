import { join } from 'node:path';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { findFreePort, workspaceRoot } from '@plat/local';
import { type EdgePeer, startEdge, type Upstreams } from '../peers/edge';
import { type ServerProcess, startServer } from '../processes/ready-server';
import type { Programs } from './programs';

export interface DeploymentOptions {
  /** An existing folder for the services' logs. */
  folder: string;
  programs: Programs;
  /** Processes of each service. */
  replicas: number;
  /** Returns the variables of a service, in addition to PORT and HOST. */
  environment(service: ServiceName): Record<string, string>;
}

interface Replica {
  port: number;
  server: ServerProcess;
}

/**
 * The five services as they are deployed: some replicas of each behind nginx with the edge's files of `deploy`. A replica
 * that is killed starts again on its port, without a word to the edge; a replica that is replaced gets another port, which
 * the edge learns, as from an orchestrator.
 */
export class Deployment {
  kills = 0;
  private readonly replicas = new Map<ServiceName, Replica[]>();
  private launched = 0;
  private stopping = false;

  private constructor(
    private options: DeploymentOptions,
    private edge: EdgePeer | undefined,
  ) {}

  static async start(options: DeploymentOptions): Promise<Deployment> {
    const deployment = new Deployment(options, undefined);
    try {
      for (const service of SERVICES) {
        const all = Array.from({ length: options.replicas }, () => deployment.launch(service));
        deployment.replicas.set(service, await Promise.all(all));
      }
      const routes = join(workspaceRoot(), 'deploy', 'edge', 'routes.conf');
      deployment.edge = await startEdge(routes, deployment.upstreams());
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  /** The edge's base address, without a slash at the end. */
  get url(): string {
    return this.edge!.url;
  }

  /** The edge's first process. */
  get edgePid(): number {
    return this.edge!.pid;
  }

  /** The processes of a service. */
  processes(service: ServiceName): readonly ServerProcess[] {
    return this.replicas.get(service)!.map(({ server }) => server);
  }

  /**
   * Replaces every replica, one of each service at the same time. A new one is ready, and the edge uses it, before an old
   * one gets its signal.
   */
  async roll(programs: Programs = this.options.programs): Promise<void> {
    this.options = { ...this.options, programs };
    for (let round = 0; round < this.options.replicas; round++) {
      const fresh = await Promise.all(SERVICES.map((name) => this.launch(name)));
      SERVICES.forEach((name, place) => this.replicas.get(name)!.push(fresh[place]!));
      await this.edge!.route(this.upstreams());
      const old = SERVICES.map((name) => this.replicas.get(name)!.shift()!);
      // At the same time, as an orchestrator does: a service drains until the edge has noticed.
      await Promise.all([...old.map(({ server }) => server.stop()), this.edge!.route(this.upstreams())]);
    }
  }

  /** Kills the replica of a service that has run longest. Resolves when it runs again. */
  async kill(service: ServiceName): Promise<void> {
    const replica = this.replicas.get(service)!.shift()!;
    process.kill(replica.server.pid, 'SIGKILL');
    this.kills += 1;
    await replica.server.stop();
    this.replicas.get(service)!.push(await this.relaunch(service, replica.port));
  }

  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    await this.edge?.stop();
    const servers = [...this.replicas.values()].flat().map(({ server }) => server);
    await Promise.all(servers.map((server) => server.stop()));
  }

  private upstreams(): Upstreams {
    return Object.fromEntries(SERVICES.map((name) => [name, this.processes(name).map(({ url }) => url)]));
  }

  /** Starts a process on a port, again and again if it cannot start because the database is away. */
  private async relaunch(service: ServiceName, port: number): Promise<Replica> {
    try {
      return await this.launch(service, port);
    } catch (error) {
      if (this.stopping) throw error;
      return this.relaunch(service, port);
    }
  }

  private async launch(service: ServiceName, wantedPort?: number): Promise<Replica> {
    const { programs, folder, environment } = this.options;
    const port = wantedPort ?? (await findFreePort());
    this.launched += 1;
    const server = await startServer({
      args: [programs[service]],
      environment: { DRAIN_SECONDS: '1', ...environment(service) },
      logFile: join(folder, `${service}-${this.launched}.log`),
      port,
    });
    return { port, server };
  }
}
