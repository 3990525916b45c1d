import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceContext } from './service-context';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * `/metrics`, in Prometheus' text format: the figures of the process and of its services. It is public and not audited
 * (decision D3), so no label names a tenant, a user or anything else that a caller chose.
 */
export function registerMetrics(fastify: FastifyInstance, contexts: readonly ServiceContext[]): void {
  const own = new Registry();
  observeRequests(fastify, own);
  describeConnections(own, contexts);
  describeProcess(own);
  const all = Registry.merge([own, ...contexts.map(({ metrics }) => metrics)]);
  fastify.get('/metrics', async (_request, reply) => reply.type(all.contentType).send(await all.metrics()));
}

/** How many requests of each route ended with which status, and how long they took. */
function observeRequests(fastify: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'plat_http_request_duration_seconds',
    help: 'Requests answered, by method, route template and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    // Callers choose unknown methods and paths freely, so all of them share one series.
    const { url } = request.routeOptions;
    const labels =
      url === undefined
        ? { method: 'none', route: 'none' }
        : { method: request.method, route: url.replace(/:([a-z_]+)/g, '{$1}') };
    duration.observe({ ...labels, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    done();
  });
}

function describeConnections(registry: Registry, contexts: readonly ServiceContext[]): void {
  registerGauge(registry, 'plat_database_connections', {
    help: 'Connections for requests, by service and use',
    labelNames: ['service', 'state'],
    read: (set) => {
      for (const { name: service, database } of contexts) {
        const { busy, idle } = database.connections;
        set({ service, state: 'busy' }, busy);
        set({ service, state: 'idle' }, idle);
      }
    },
  });
  registerGauge(registry, 'plat_database_requests_waiting', {
    help: 'Statements that wait for a connection, by service',
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, database } of contexts) set({ service }, database.connections.waiting);
    },
  });
  registerGauge(registry, 'plat_requests_waiting', {
    help: "Requests that wait for their turn among their organisation's, by service",
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, turns } of contexts) set({ service }, turns.waiting);
    },
  });
  registerGauge(registry, 'plat_audit_rows_waiting', {
    help: 'Audit rows that wait for the statement that writes them, by service',
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, audit } of contexts) set({ service }, audit.rowsWaiting);
    },
  });
}

function describeProcess(registry: Registry): void {
  registerGauge(registry, 'process_resident_memory_bytes', {
    help: 'Resident memory of the process',
    read: (set) => set({}, process.memoryUsage.rss()),
  });
  registerGauge(registry, 'process_start_time_seconds', {
    help: 'When the process started, in seconds since 1970',
    read: (set) => set({}, Math.round(Date.now() / 1000 - process.uptime())),
  });
}

interface GaugeShape {
  help: string;
  labelNames?: string[];
  /** Called when `/metrics` is read. */
  read(set: (labels: Record<string, string>, value: number) => void): void;
}

/** A figure that is determined whenever `/metrics` is read. */
export function registerGauge(
  registry: Registry,
  name: string,
  { help, labelNames = [], read }: GaugeShape,
): void {
  const kept = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: () => read((labels, value) => kept.set(labels, value)),
  });
}
