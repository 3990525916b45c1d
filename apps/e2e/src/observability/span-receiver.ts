import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string>;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

interface OtlpSpan extends Omit<ReceivedSpan, 'service' | 'attributes'> {
  attributes: OtlpAttribute[];
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** A receiver of OTLP over HTTP, which keeps the spans that come as JSON. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The media types and lengths of all requests. */
  readonly requests: { type: string; path: string; body: Buffer }[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const type = incoming.headers['content-type'] ?? '';
      this.requests.push({ type, path: incoming.url ?? '', body });
      if (type === 'application/json') this.keep(JSON.parse(body.toString()) as OtlpRequest);
      outgoing.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : undefined);
    });
  }

  static async start(): Promise<SpanReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SpanReceiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for a span. */
  async span(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    for (;;) {
      const found = this.spans.find(matches);
      if (found) return found;
      await new Promise((resolve) =>
        this.server.once('request', (_, answer) => answer.once('finish', resolve)),
      );
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private keep({ resourceSpans }: OtlpRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = textsOf(resource.attributes)['service.name'] ?? '';
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({ ...span, service, attributes: textsOf(span.attributes) });
      }
    }
  }
}

const textsOf = (attributes: OtlpAttribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]));
