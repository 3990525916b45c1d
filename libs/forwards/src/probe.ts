import { get } from 'node:http';
import { connect } from 'node:net';
import type { Channel } from './channel';

/** Whether the local end of a channel answers. */
export interface ProbeResult {
  alive: boolean;
  /** Why it does not. */
  why?: string;
}

const BANNER = 'SSH-';
/** Longest text before the banner; a server may send other lines first. */
const BANNER_BYTES_MAX = 4096;

/**
 * Probes a forward: any HTTP answer on GET /mcp, 2xx on GET /healthz of the API, the banner of an SSH server.
 * Spec: Client, Port-forward reconciliation, rule 1. Rule G11.
 */
export function probe(channel: Channel, port: number, deadlineMilliseconds: number): Promise<ProbeResult> {
  switch (channel) {
    case 'mcp':
      return probeHttp({ port, path: '/mcp', isGood: () => true }, deadlineMilliseconds);
    case 'api':
      return probeHttp(
        { port, path: '/healthz', isGood: (status) => status >= 200 && status < 300 },
        deadlineMilliseconds,
      );
    case 'sshd':
      return probeBanner(port, deadlineMilliseconds);
  }
}

interface HttpProbe {
  port: number;
  path: string;
  isGood(status: number): boolean;
}

function probeHttp({ port, path, isGood }: HttpProbe, deadline: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    // The stream of an MCP server does not end, so the head of its answer is enough.
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      const status = response.statusCode ?? 0;
      settle(isGood(status) ? { alive: true } : { alive: false, why: `GET ${path} answers ${status}` });
    });
    const timer = setTimeout(() => settle(late(deadline)), deadline);
    const settle = (result: ProbeResult) => {
      clearTimeout(timer);
      request.destroy();
      resolve(result);
    };
    request.on('error', (error: NodeJS.ErrnoException) => settle(refused(error)));
  });
}

function probeBanner(port: number, deadline: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const timer = setTimeout(() => settle(late(deadline)), deadline);
    const settle = (result: ProbeResult) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.split('\n').some((line) => line.startsWith(BANNER))) settle({ alive: true });
      else if (text.length > BANNER_BYTES_MAX) settle({ alive: false, why: 'it sends no SSH banner' });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => settle(refused(error)));
    socket.on('close', () => settle({ alive: false, why: 'it ends the connection without an answer' }));
  });
}

const late = (deadline: number): ProbeResult => ({
  alive: false,
  why: `it does not answer within ${deadline / 1000} s`,
});

function refused({ code, message }: NodeJS.ErrnoException): ProbeResult {
  if (code === 'ECONNREFUSED') return { alive: false, why: 'nothing listens on the port' };
  if (code === 'ECONNRESET') return { alive: false, why: 'it ends the connection without an answer' };
  return { alive: false, why: message };
}
