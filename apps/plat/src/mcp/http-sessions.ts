import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StreamableHTTPServerTransport } from './mcp-library.js';
import type { NewMcpServer } from './mcp-server';

/** Agents that are gone for good do not say so: the session that was used longest ago goes. */
const SESSIONS_MAX = 100;

/** The agents that are connected. A session is what lets an agent cancel a call by a request of its own. */
export class HttpSessions {
  /** By session id, the one used last at the end. */
  private readonly transports = new Map<string, StreamableHTTPServerTransport>();

  constructor(private readonly newServer: NewMcpServer) {}

  /** The session that the request names, a new one where it names none; undefined when it is not known. */
  async of(request: IncomingMessage): Promise<StreamableHTTPServerTransport | undefined> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return this.begin();
    const transport = this.transports.get(String(id));
    if (transport) this.keep(String(id), transport);
    return transport;
  }

  async close(): Promise<void> {
    await Promise.all([...this.transports.values()].map((transport) => transport.close()));
  }

  /** Is kept once the agent has introduced itself, as every agent does first. */
  private async begin(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.keep(id, transport),
      onsessionclosed: (id) => void this.transports.delete(id),
    });
    await this.newServer().connect(transport);
    return transport;
  }

  private keep(id: string, transport: StreamableHTTPServerTransport): void {
    this.transports.delete(id);
    this.transports.set(id, transport);
    const [oldest] = this.transports;
    if (oldest && this.transports.size > SESSIONS_MAX) void this.end(...oldest);
  }

  private async end(id: string, transport: StreamableHTTPServerTransport): Promise<void> {
    this.transports.delete(id);
    await transport.close();
  }
}
