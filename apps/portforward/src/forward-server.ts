import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ForwardLog } from '@plat/forwards';
import { ClusterError } from './cluster-error';
import type { PodDialer } from './pod-dialer';
import { Splice } from './splice';

/** Connections that wait to be accepted. */
const BACKLOG = 512;

export interface ForwardServerOptions {
  dialer: PodDialer;
  log: ForwardLog;
  /** Called after a connection to a pod could not be opened. */
  onFailure(error: ClusterError): void;
}

/** Listens on 127.0.0.1 and connects each accepted socket with a pod that is ready then. Decision H9. */
export class ForwardServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private count = 0;

  constructor(private readonly options: ForwardServerOptions) {
    // The reply to a half-closed request may still come.
    this.server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    this.server.on('connection', (socket) => void this.serve(socket));
    this.server.on('error', (error) =>
      this.options.log.write({ event: 'failed', fields: { message: error.message } }),
    );
  }

  /** @throws the error of the port, with its code */
  async listen(port: number): Promise<void> {
    this.server.listen({ host: '127.0.0.1', port, backlog: BACKLOG });
    await once(this.server, 'listening');
  }

  /** Ends every connection at once. */
  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  private async serve(socket: Socket): Promise<void> {
    this.count += 1;
    const connection = this.count;
    const { log, dialer, onFailure } = this.options;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    // Somebody who leaves while the pod is dialed.
    const ignore = () => undefined;
    socket.on('error', ignore);
    try {
      const { pod, connection: opened } = await dialer.dial();
      if (socket.destroyed) return opened.terminate();
      log.write({ event: 'opened', fields: { connection, pod } });
      new Splice(socket, opened, ({ fault, ...bytes }) => {
        if (fault === undefined) log.write({ event: 'ended', fields: { connection, ...bytes } });
        else log.write({ event: 'failed', fields: { connection, pod, ...bytes, message: fault } });
      });
    } catch (error) {
      const failure = error instanceof ClusterError ? error : new ClusterError(String(error));
      log.write({ event: 'failed', fields: { connection, message: failure.message } });
      socket.resetAndDestroy();
      onFailure(failure);
    }
  }
}
