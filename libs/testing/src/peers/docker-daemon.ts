import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** A docker daemon of a test's own. */
export interface DockerDaemon {
  /** For DOCKER_HOST. */
  address: string;
  stop(): Promise<void>;
}

/** Starts a daemon that changes no firewall rules and keeps everything in one folder. It needs root. */
export async function startDockerDaemon(): Promise<DockerDaemon> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-docker-'));
  const address = `unix://${join(folder, 'socket')}`;
  const daemon = await startServerProcess({
    program: peer('dockerd'),
    args: [
      `--host=${address}`,
      `--data-root=${join(folder, 'data')}`,
      `--exec-root=${join(folder, 'exec')}`,
      `--pidfile=${join(folder, 'pid')}`,
      '--storage-driver=vfs',
      '--iptables=false',
      '--ip6tables=false',
    ],
    ready: /API listen on/,
  });
  return {
    address,
    stop: async () => {
      await daemon.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
