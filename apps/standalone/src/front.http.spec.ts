import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type Front, listen } from './front';

let front: Front;
const asked: (string | undefined)[] = [];
beforeAll(async () => {
  front = await listen(0);
  front.open({
    claim: (req, res) => {
      asked.push(req.headers.host);
      res.end();
      return true;
    },
    services: (_req, res) => res.end(),
    onFault: (error) => {
      throw error;
    },
  });
});
afterAll(() => front.close());

/** The status for a request with this Host, which `fetch` would not let a caller choose. */
async function statusFor(host: string): Promise<number | undefined> {
  const sent = request(front.baseUrl, { headers: { host }, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('a request of a page whose own name leads to this machine (DNS rebinding)', () => {
  it.each([
    'evil.example',
    'evil.example:7070',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'notlocalhost',
    'a b',
  ])('is refused with 400 before anything reads it: Host %s', async (host) => {
    expect([await statusFor(host), asked.includes(host)]).toEqual([400, false]);
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1:7070',
    'localhost:7070',
    'LOCALHOST',
    'plat.localhost',
    '[::1]:7070',
    '192.0.2.7',
  ])('is not what has the Host %s', async (host) => {
    expect([await statusFor(host), asked.at(-1)]).toEqual([200, host]);
  });
});

it('a body that is not sent to its end within the time for a request is answered 408', async () => {
  const impatient = await listen(0, { timeoutMs: 200, lookMs: 50 });
  impatient.open({
    claim: (req, res) => {
      req
        .on('error', () => undefined)
        .on('end', () => res.end())
        .resume();
      return true;
    },
    services: (_req, res) => res.end(),
    onFault: (error) => {
      throw error;
    },
  });
  const headers = { 'content-length': '100' };
  const sent = request(impatient.baseUrl, { method: 'POST', headers, agent: false });
  sent.write('account=');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(408);
  sent.destroy();
  await impatient.close();
});
