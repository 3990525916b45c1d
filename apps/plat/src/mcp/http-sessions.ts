import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StreamableHTTPServerTransport } from './mcp-library.js';
import type { NewMcpServer } from './mcp-server';

/** Most sessions. Agents may leave without closing theirs, so the least recently used session is dropped. */
const SESSIONS_MAX = 100;

/** The connected agents. A session lets an agent cancel a call with another request. */
export class HttpSessions {
  /** Keyed by session id, the most recently used at the end. */
  private readonly transports = new Map<string, StreamableHTTPServerTransport>();

  constructor(private readonly newServer: NewMcpServer) {}

  /** The session that the request names, or a new one if it names none; undefined if it is unknown. */
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

  /** Begins a session. It is stored once the agent has initialised it, which every agent does first. */
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
