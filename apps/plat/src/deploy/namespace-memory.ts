import { createHash, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { scopedConfigPath } from '../config/config-scope';
import { withFileLock } from '../config/file-lock';

const FILE = 'namespace-uid';
const BYTES_MAX = 4096;
/** Most namespaces that are remembered of an environment, such as those of several clusters. The last used ones count. */
const NAMESPACES_MAX = 8;
/** Most creations that are remembered of an environment while the uids of their namespaces are not. */
const CREATIONS_MAX = 8;
/** First word of the line of a creation. The others are its value and its context. */
const MAKING = 'making';
const VALUE_BYTES = 32;

/** An environment of this machine's configuration. */
interface Remembered {
  configFolder: string;
  name: EnvironmentName;
}

/** A creation of a namespace whose end this machine has not seen. */
export interface Creation {
  /** The context of the kubeconfig: a value that one cluster has seen proves nothing in another. */
  context: string | undefined;
  /** Random, and never given to another namespace. */
  value: string;
}

/** In the environment's folder of the configuration, which goes with it. */
const pathOf = ({ configFolder, name }: Remembered): string =>
  join(dirname(scopedConfigPath(configFolder, name)), FILE);

/** The identity of a namespace of a cluster. */
export interface NamespaceIdentity {
  /** No other namespace ever gets it. Empty if it is not known. */
  uid: string;
  /** The creation that the namespace names; undefined if it names none. */
  creation?: Creation | undefined;
}

/**
 * Whether deploys of this machine have made or accepted the namespace for the environment: its uid is remembered, or its
 * creation is while the uid is not.
 */
export function isKnown(environment: Remembered, { uid, creation }: NamespaceIdentity): boolean {
  const lines = readLines(pathOf(environment));
  return lines.includes(uid) || (creation !== undefined && lines.includes(lineOf(creation)));
}

/**
 * Remembers a namespace of the environment as the newest, and forgets its creation: whoever reads the namespace knows the
 * value of that.
 *
 * @throws Failure LOCKED
 */
export async function rememberNamespace(
  environment: Remembered,
  { uid, creation }: NamespaceIdentity,
): Promise<void> {
  if (uid === '') return;
  const ended = creation && lineOf(creation);
  await change(environment, (lines) => [...lines.filter((line) => line !== uid && line !== ended), uid]);
}

/**
 * Remembers that a deploy is about to create a namespace, so that a later one knows it even if this one ends before it
 * knows the uid.
 *
 * @throws Failure LOCKED
 */
export async function beginCreation(environment: Remembered, context: string | undefined): Promise<Creation> {
  const creation = { context, value: randomBytes(VALUE_BYTES).toString('base64url') };
  await change(environment, (lines) => [...lines, lineOf(creation)]);
  return creation;
}

/** Forgets a creation that has made no namespace. @throws Failure LOCKED */
export async function forgetCreation(environment: Remembered, creation: Creation): Promise<void> {
  await change(environment, (lines) => lines.filter((line) => line !== lineOf(creation)));
}

/** A context's name may be of any length and any characters. */
const lineOf = ({ context = '', value }: Creation): string =>
  `${MAKING} ${value} ${createHash('sha256').update(context).digest('hex').slice(0, 32)}`;

const isUid = (line: string): boolean => !line.startsWith(`${MAKING} `);

async function change(environment: Remembered, edit: (lines: string[]) => string[]): Promise<void> {
  const path = pathOf(environment);
  await withFileLock(`${path}.lock`, async () => {
    const lines = edit(readLines(path));
    const uids = lines.filter(isUid).slice(-NAMESPACES_MAX);
    const creations = lines.filter((line) => !isUid(line)).slice(-CREATIONS_MAX);
    await writeInPrivateFolder(path, [...uids, ...creations].map((line) => `${line}\n`).join(''));
  });
}

/** A file that cannot be read counts as never written: a person then accepts the namespace once more. */
function readLines(path: string): string[] {
  try {
    const text = readRegularFile(path, { bytesMax: BYTES_MAX }).toString('utf8');
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    if (error instanceof FileRefused) return [];
    throw error;
  }
}
