import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExposurePlan } from '@plat/environments';
import { refuseProtocolSwitch, withTimeLimit } from '@plat/local';

/** Longest wait for a name that answers, in seconds. */
const WAIT_SECONDS_MAX = 10;
const PAUSE_MILLISECONDS = 1000;
/** Longest wait for one answer, of a name server or of the address. */
const ANSWER_MILLISECONDS_MAX = 3000;
const PORTS = { http: 80, https: 443 } as const;

/** A public name, and where it is looked for. */
export interface ReadyInput extends Pick<ExposurePlan, 'hostname' | 'targetIp' | 'scheme'> {
  interrupted: AbortSignal;
  /** Default: 10. */
  waitSeconds?: number;
  /** Default: that of the scheme. */
  port?: number;
  /** Address and port of the name server; default: those of the machine. */
  nameServer?: string;
}

/**
 * Waits until the public name resolves to the address and the address answers for it, at most 10 seconds. Any HTTP
 * answer counts: what it says is the service's own.
 *
 * @returns what does not hold yet, as a sentence; undefined if the name is ready
 */
export async function readyWarning(input: ReadyInput): Promise<string | undefined> {
  const { hostname, interrupted, waitSeconds = WAIT_SECONDS_MAX } = input;
  const over = withTimeLimit(interrupted, waitSeconds * 1000);
  for (;;) {
    const found = (await Promise.all([resolutionFault(input, over), answerFault(input, over)])).filter(
      (fault) => fault !== undefined,
    );
    interrupted.throwIfAborted();
    if (found.length === 0) return undefined;
    if (!over.aborted) await delay(PAUSE_MILLISECONDS, undefined, { signal: over }).catch(() => undefined);
    interrupted.throwIfAborted();
    if (over.aborted) return `${hostname} is exposed and not ready yet: ${found.join('; ')}.`;
  }
}

async function resolutionFault(
  { hostname, targetIp, nameServer }: ReadyInput,
  over: AbortSignal,
): Promise<string | undefined> {
  const resolver = new Resolver({ timeout: ANSWER_MILLISECONDS_MAX, tries: 1 });
  if (nameServer !== undefined) resolver.setServers([nameServer]);
  const stop = () => resolver.cancel();
  over.addEventListener('abort', stop, { once: true });
  try {
    const addresses = await resolver.resolve4(hostname);
    if (addresses.includes(targetIp)) return undefined;
    return `it resolves to ${addresses.join(', ')}, not to ${targetIp}`;
  } catch (error) {
    return `it does not resolve (${codeOf(error)})`;
  } finally {
    over.removeEventListener('abort', stop);
  }
}

/** Asks the address itself, under the public name, so that a name that does not resolve yet is no obstacle. */
function answerFault(input: ReadyInput, over: AbortSignal): Promise<string | undefined> {
  const { hostname, targetIp, scheme, port = PORTS[scheme] } = input;
  const send = scheme === 'https' ? requestHttps : requestHttp;
  const signal = withTimeLimit(over, ANSWER_MILLISECONDS_MAX);
  return new Promise((judged) => {
    const request = send({
      host: targetIp,
      port,
      servername: hostname,
      method: 'HEAD',
      path: '/',
      headers: { host: hostname },
      agent: false,
      signal,
    });
    request.once('response', (response) => {
      response.resume();
      request.destroy();
      judged(undefined);
    });
    refuseProtocolSwitch(request).on('error', (error) =>
      judged(unanswered(`${targetIp}:${port}`, codeOf(error))),
    );
    request.end();
  });
}

function unanswered(address: string, code: string): string {
  return /CERT|SIGNED|SIGNATURE|ISSUER|VERIFY|CHAIN/.test(code)
    ? `${address} answers without a valid certificate for it (${code})`
    : `${address} does not answer (${code})`;
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  return typeof code === 'string' ? code : (message ?? 'unknown');
}
