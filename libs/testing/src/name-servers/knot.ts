import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peer } from '../peers/peer';
import { type NameServerSetUp, writeZoneFile } from './name-server-peer';

/** Knot DNS. */
export const knot: NameServerSetUp = async (plan) => {
  const { folder, port, zone, key } = plan;
  const file = await writeZoneFile(plan);
  const configuration = `
server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: info
database:
    storage: "${folder}"
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}
acl:
  - id: updates
    key: ${key.name}
    action: update
zone:
  - domain: ${zone}
    file: "${file}"
    acl: updates
`;
  const path = join(folder, 'knot.conf');
  await writeFile(path, configuration);
  return { program: peer('knotd'), args: ['--config', path], ready: /server started/ };
};
