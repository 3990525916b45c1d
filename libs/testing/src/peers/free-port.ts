import { createSocket } from 'node:dgram';
import { findFreePort as freeTcpPort } from '@plat/local';

/** A port of 127.0.0.1 that was free a moment ago by TCP and UDP: for servers that can't choose one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = await freeTcpPort();
    const udp = createSocket('udp4');
    const isFree = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false));
      udp.bind(port, '127.0.0.1', () => resolve(true));
    });
    udp.close();
    if (isFree) return port;
  }
}
