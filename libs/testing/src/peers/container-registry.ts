import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port';
import { peer } from './peer';
import { startServerProcess } from './server-process';

/** A registry of container images on this machine. */
export interface ContainerRegistry {
  /** Host and port. */
  host: string;
  /** The tags of an image; empty for an unknown image. */
  tags(image: string): Promise<string[]>;
  /** The platforms under a tag, such as `linux/arm64`; undefined if the tag names a single image. */
  platforms(image: string, tag: string): Promise<string[] | undefined>;
  stop(): Promise<void>;
}

const INDEXES = [
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.index.v1+json',
];

export async function startContainerRegistry(): Promise<ContainerRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-registry-'));
  const host = `127.0.0.1:${await findFreePort()}`;
  const config = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: host },
  };
  const file = join(folder, 'config.yml');
  await writeFile(file, JSON.stringify(config));
  const server = await startServerProcess({
    program: peer('docker-registry'),
    args: ['serve', file],
    ready: /listening on/,
  });
  const read = async <T>(path: string, accept: string) => {
    const answer = await fetch(`http://${host}/v2/${path}`, { headers: { accept } });
    return (answer.ok ? await answer.json() : {}) as T;
  };
  return {
    host,
    tags: async (image) =>
      (await read<{ tags?: string[] }>(`${image}/tags/list`, 'application/json')).tags?.sort() ?? [],
    platforms: async (image, tag) => {
      type Index = { manifests?: Array<{ platform: { os: string; architecture: string } }> };
      const { manifests } = await read<Index>(`${image}/manifests/${tag}`, INDEXES.join(', '));
      return manifests?.map(({ platform: { os, architecture } }) => `${os}/${architecture}`).sort();
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A proxy before a registry that accepts one bearer token alone. */
export interface RegistryDoor {
  /** Host and port. */
  host: string;
  close(): Promise<void>;
}

export async function startRegistryDoor(registry: ContainerRegistry, token: string): Promise<RegistryDoor> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    if (headers.authorization !== `Bearer ${token}`) {
      // No token can be fetched at that address.
      const realm = `http://${headers.host}/token`;
      outgoing.writeHead(401, {
        'docker-distribution-api-version': 'registry/2.0',
        'www-authenticate': `Bearer realm="${realm}",service="registry"`,
      });
      outgoing.end('{"errors":[{"code":"UNAUTHORIZED"}]}');
      return;
    }
    const passed = request({ ...address(registry.host), method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function address(host: string): { host: string; port: string } {
  const [name = '', port = ''] = host.split(':');
  return { host: name, port };
}
