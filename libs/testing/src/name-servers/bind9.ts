import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { peer } from '../peers/peer';
import { type NameServerSetUp, writeZoneFile } from './name-server-peer';

/** ISC's named. */
export const bind9: NameServerSetUp = async (plan) => {
  const { folder, port, zone, key } = plan;
  const file = await writeZoneFile(plan);
  const configuration = `
options {
  directory "${folder}";
  pid-file none;
  session-keyfile none;
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  dnssec-validation no;
  empty-zones-enable no;
  notify no;
};
controls { };
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
zone "${zone}" {
  type primary;
  file "${file}";
  update-policy { grant ${key.name} zonesub A; };
};
`;
  const path = join(folder, 'named.conf');
  await writeFile(path, configuration);
  return { program: peer('named'), args: ['-g', '-n', '1', '-c', path], ready: / running$/m };
};
