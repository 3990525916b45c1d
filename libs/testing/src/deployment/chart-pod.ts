import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type ChartCase, renderedChart } from './rendered-chart';

/** The part of a container that runs on any machine. */
interface Container {
  name: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value: string }[];
  volumeMounts?: { name: string; mountPath: string }[];
}

interface Files {
  items: { key: string; path: string }[];
}

interface Volume {
  name: string;
  projected?: { sources: { secret: Files & { name: string } }[] };
  secret?: Files & { secretName: string };
  configMap?: Files & { name: string };
}

export interface ChartPod {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
}

export interface ChartObject {
  kind: string;
  metadata: { name: string };
  spec: ChartPod & { replicas?: number; template: { spec: ChartPod } };
}

/**
 * An object that the chart renders.
 *
 * @throws Error if there is none, or if the case is rendered by helm, which is no peer of this run
 */
export function chartObject(kind: string, name: string, chartCase: ChartCase = 'defaults'): ChartObject {
  const objects = parseAllDocuments(renderedChart(chartCase)).map(
    (document) => document.toJS() as ChartObject | null,
  );
  const found = objects.find((object) => object?.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`The case ${chartCase} of the chart has no ${kind} ${name}.`);
  return found;
}

/** The command, arguments and variables with which a container runs on this machine. */
export interface LocalContainer {
  command: string[];
  args: string[];
  environment: Record<string, string>;
}

export interface LocalContents {
  /** An existing folder, which gets the files that are mounted in the cluster. */
  folder: string;
  /** The content of each key of the Secrets and ConfigMaps. */
  contents: Readonly<Record<string, string>>;
}

/**
 * Writes the files that a container mounts, and returns its command, arguments and variables. A variable that names a
 * mounted file names the written one.
 *
 * @throws Error if a variable names a file that is not mounted, or if a key has no content
 */
export async function makeLocal(
  pod: ChartPod,
  name: string,
  { folder, contents }: LocalContents,
): Promise<LocalContainer> {
  const container = [...(pod.initContainers ?? []), ...pod.containers].find((each) => each.name === name);
  if (container === undefined) throw new Error(`The pod has no container ${name}.`);
  const mounted = filesOf(pod, container);
  for (const [path, key] of mounted) {
    const content = contents[key];
    if (content === undefined) throw new Error(`No content is given for ${key}.`);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: 0o600 });
  }
  const local = (value: string): string => {
    if (!value.startsWith('/etc/')) return value;
    if (!mounted.has(value)) throw new Error(`${value} is not mounted.`);
    return join(folder, value);
  };
  return {
    command: container.command ?? [],
    args: (container.args ?? []).map(local),
    environment: Object.fromEntries((container.env ?? []).map((each) => [each.name, local(each.value)])),
  };
}

/** The keys of the mounted files, by path. */
function filesOf(pod: ChartPod, container: Container): ReadonlyMap<string, string> {
  const files = (container.volumeMounts ?? []).flatMap(({ name, mountPath }) => {
    const volume = pod.volumes?.find((each) => each.name === name);
    if (volume === undefined) throw new Error(`${name} is mounted, and the pod has no such volume.`);
    const { projected, secret, configMap } = volume;
    const sources = projected?.sources.map((source) => source.secret) ?? [
      secret ?? configMap ?? { items: [] },
    ];
    return sources
      .flatMap(({ items }) => items)
      .map(({ key, path }) => [join(mountPath, path), key] as const);
  });
  return new Map(files);
}
