import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LogOutput } from '../log/log-output';
import type { PlatRequest } from '../request/request';
import type { Sample } from './sample';
import type { ServiceContext } from './service-context';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Up to the longest time that a statement waits. */
const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/**
 * `/metrics`, in Prometheus' text format: the figures of the process and of its services. It is public and not audited
 * (rule D3), so no label names a tenant, a user or anything else that a caller chose.
 */
export function registerMetrics(
  fastify: FastifyInstance,
  contexts: readonly ServiceContext[],
  output?: Pick<LogOutput, 'linesLost'>,
): void {
  const own = new Registry();
  countLostLines(own, output);
  observeRequests(fastify, own);
  describeConnections(own, contexts);
  describeWaiting(own, contexts);
  countAuthorized(own, contexts);
  registerFigures(own, {
    name: 'plat_partitions_months_ahead',
    help: 'Months after the present one, without a gap, that have a partition; -1 if the present month has none',
    labelNames: ['table'],
    read: () => Promise.resolve(contexts.flatMap(({ partitions }) => partitions?.() ?? [])),
  });
  // Memory, processor time, start and event loop of the process.
  collectDefaultMetrics({ register: own });
  const merge = () => Registry.merge([own, ...contexts.map(({ metrics }) => metrics)]);
  // Two figures of one name fail the start, not the first read.
  merge();
  // The registries are merged at each read, so that no figure can be registered too late to be shown.
  fastify.get('/metrics', async (_request, reply) => {
    const all = merge();
    return reply.type(all.contentType).send(await all.metrics());
  });
}

/** How many requests of each route ended with which status, and how long they took. */
function observeRequests(fastify: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'plat_http_request_duration_seconds',
    help: 'Requests answered, by method, route template and status, without the time that they waited for a change',
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
    const { waitedMs = 0 } = request as PlatRequest;
    duration.observe({ ...labels, status: String(reply.statusCode) }, (reply.elapsedTime - waitedMs) / 1000);
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
  const waits = new Histogram({
    name: 'plat_database_wait_seconds',
    help: 'How long statements waited for a connection, by service',
    labelNames: ['service'],
    buckets: WAIT_SECONDS,
    registers: [registry],
  });
  for (const { name: service, database } of contexts) {
    database.onWaited = (seconds) => waits.observe({ service }, seconds);
  }
  registerGauge(registry, 'plat_database_url_refused', {
    help: 'Whether the database refuses the newest DATABASE_URL, so that the one before it is in use: 1 or 0, by service',
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, isNewestUrlRefused: isRefused } of contexts) {
        set({ service }, Number(isRefused()));
      }
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

/** Requests that are held back. */
function describeWaiting(registry: Registry, contexts: readonly ServiceContext[]): void {
  registerGauge(registry, 'plat_requests_waiting', {
    help: "Requests that wait for their turn among their organisation's, by service",
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, slots } of contexts) set({ service }, slots.waiting);
    },
  });
  registerGauge(registry, 'plat_requests_waiting_for_change', {
    help: 'Requests that prefer to be answered when what they show has changed, by service',
    labelNames: ['service'],
    read: (set) => {
      for (const { name: service, waiters } of contexts) set({ service }, waiters.count);
    },
  });
}

/** Audit rows compared with the requests that they stand for: each request has its row before it acts. */
function countAuthorized(registry: Registry, contexts: readonly ServiceContext[]): void {
  registerCount(registry, 'plat_requests_authorized_total', {
    help: 'Requests that were let through to act, by service',
    read: () => contexts.map(({ name, acting }) => [name, acting.count]),
  });
  registerCount(registry, 'plat_audit_rows_total', {
    help: 'Audit rows of requests that are durable, by service',
    read: () => contexts.map(({ name, audit }) => [name, audit.rowsWritten]),
  });
}

/** Lines of the process's log that it could not write. */
function countLostLines(registry: Registry, output: Pick<LogOutput, 'linesLost'> | undefined): void {
  const lost = new Counter({
    name: 'plat_log_lines_lost_total',
    help: 'Lines of the log that were not written: a full disk, or a reader that is gone or too slow',
    registers: [registry],
    collect: () => {
      lost.reset();
      lost.inc(output?.linesLost ?? 0);
    },
  });
}

interface CountShape {
  help: string;
  /** Each service's name and count since it started. */
  read(): [string, number][];
}

function registerCount(registry: Registry, name: string, { help, read }: CountShape): void {
  const kept = new Counter({
    name,
    help,
    labelNames: ['service'],
    registers: [registry],
    collect: () => {
      kept.reset();
      for (const [service, count] of read()) kept.inc({ service }, count);
    },
  });
}

interface GaugeShape {
  help: string;
  labelNames?: string[];
  /** Called when `/metrics` is read. */
  read(set: (labels: Record<string, string>, value: number) => void): void;
}

interface FiguresShape {
  name: string;
  help: string;
  labelNames?: string[];
  /** Called when `/metrics` is read. Only what it returns is shown. */
  read(): Promise<Sample[]>;
}

/** A figure that may be missing, and that takes a while to determine. */
export function registerFigures(
  registry: Registry,
  { name, help, labelNames = [], read }: FiguresShape,
): void {
  const kept = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: async () => {
      const samples = await read();
      kept.reset();
      // Without labels, a reset leaves a zero behind.
      if (samples.length === 0) kept.remove({});
      for (const { labels = {}, value } of samples) kept.set(labels, value);
    },
  });
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
