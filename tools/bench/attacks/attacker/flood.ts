import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { defined } from '@plat/contracts/core';
import type { AttackRequest } from '../order';
import type { Attack } from './tally';

/** Sends the requests in turns on one connection, each once the one before is answered. */
export async function flood({ order, tally, stopped }: Attack, place: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = place; !stopped.aborted; turn++) {
    const sent = send(order.url, order.requests[turn % order.requests.length]!, {
      agent,
      token: order.token,
    });
    const abort = () => sent.destroy();
    stopped.addEventListener('abort', abort);
    try {
      tally.answered(await statusOf(sent));
    } catch {
      tally.cut++;
    } finally {
      stopped.removeEventListener('abort', abort);
    }
  }
  agent.destroy();
}

function send(
  url: string,
  { method, path, body, headers: own }: AttackRequest,
  options: { agent: Agent; token?: string },
) {
  const { hostname, port } = new URL(url);
  const headers = defined({
    ...own,
    authorization: options.token === undefined ? undefined : `Bearer ${options.token}`,
    'content-type': body === undefined ? undefined : 'application/json',
    'content-length': body === undefined ? undefined : Buffer.byteLength(body),
  });
  // node:http sends even a malformed target unchanged.
  return request({ hostname, port, agent: options.agent, method, path, headers }).end(body);
}

async function statusOf(sent: ClientRequest): Promise<number> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode!;
}
