import { changeSnapshot } from './source-snapshot';

/** A text for each of the two base images. */
export interface Bases {
  node: string;
  libraries: string;
}

const SERVICES = 'deploy/images/Dockerfile';
const RUNTIME = 'deploy/images/runtime/Dockerfile';

/** The arguments of the Dockerfiles that pin a base. */
const PINS = [
  { file: SERVICES, argument: 'NODE', base: 'node' },
  { file: SERVICES, argument: 'BASE', base: 'libraries' },
  { file: RUNTIME, argument: 'BASE', base: 'node' },
] as const;

/** Pins the bases in the Dockerfiles of a snapshot by other digests, as a person pins newer ones. @returns their references */
export async function pinBases(sources: string, digests: Bases): Promise<Bases> {
  const references: Bases = { node: '', libraries: '' };
  for (const { file, argument, base } of PINS) {
    const pinned = new RegExp(`(?<=^ARG ${argument}=)(\\S+)@sha256:\\w+$`, 'm');
    await changeSnapshot(sources, file, (text) =>
      text.replace(pinned, (_, image: string) => (references[base] = `${image}@${digests[base]}`)),
    );
  }
  return references;
}
