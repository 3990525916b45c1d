import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Passes calls on to a service, and lets a test act after the service has acted and before it is answered. */
export class InterveningProxy {
  private intervention?: { route: RegExp; act(): void };
  private pagesLeft = 0;
  private change?: { route: RegExp; of(body: Record<string, unknown>): Record<string, unknown> };

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {
    server.on('request', (incoming, outgoing) => this.pass(incoming, outgoing));
  }

  static async start(target: string): Promise<InterveningProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new InterveningProxy(server, target);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Once the service has handled the next call whose method and path match, acts and sends no answer to it. */
  insteadOfAnswer(route: RegExp, act: () => void): void {
    this.intervention = { route, act };
  }

  /** Answers the next calls with an HTML page, like a network's sign-in page, without passing them on. */
  answerPages(count: number): void {
    this.pagesLeft = count;
  }

  /** Cancels `insteadOfAnswer`: every answer is sent. */
  answerAll(): void {
    this.intervention = undefined;
  }

  /** Changes every answer to calls whose method and path match, until another change is named. */
  changeAnswers(route: RegExp, of: (body: Record<string, unknown>) => Record<string, unknown>): void {
    this.change = { route, of };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url, headers } = incoming;
    if (this.pagesLeft > 0) {
      this.pagesLeft -= 1;
      incoming.resume();
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>');
      return;
    }
    const passed = request(this.target + url, { method, headers }, (answer) => {
      const intervention = this.intervention;
      if (intervention?.route.test(`${method} ${url}`)) {
        this.intervention = undefined;
        answer.resume();
        answer.once('end', () => {
          intervention.act();
          outgoing.destroy();
        });
        return;
      }
      const { statusCode: status = 502 } = answer;
      if (this.change?.route.test(`${method} ${url}`)) {
        const { of } = this.change;
        outgoing.writeHead(status, { 'content-type': 'application/json' });
        void json(answer).then((body) => outgoing.end(JSON.stringify(of(body as Record<string, unknown>))));
        return;
      }
      outgoing.writeHead(status, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }
}
