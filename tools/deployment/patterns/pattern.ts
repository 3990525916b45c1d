import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';
import { execFileSync } from '@plat/testing';

const FOLDER = 'deploy/patterns';

/** The fields of a manifest that a test reads. */
export interface Manifest {
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

/** A file of deploy/patterns. */
export interface Pattern {
  file: string;
  text: string;
  /** The lines of its comment that a person types, in their order. The first applies it. */
  commands: string[];
}

/** The patterns, by the names of their files. */
export function readPatterns(): Pattern[] {
  const files = readdirSync(join(workspaceRoot(), FOLDER)).filter((file) => file.endsWith('.yaml'));
  return files.map(readPattern);
}

export function readPattern(file: string): Pattern {
  const text = readFileSync(join(workspaceRoot(), FOLDER, file), 'utf8');
  const commands = [...text.matchAll(/^# ((?:sed|kubectl) .+)$/gm)].map(([, command = '']) => command);
  return { file, text, commands };
}

/**
 * The manifests that a pattern's command hands to kubectl: its own sed makes them.
 *
 * @param command the pattern's own, unless given
 */
export function manifestsOf(pattern: Pattern, command = pattern.commands[0] ?? ''): Manifest[] {
  const [before, after] = command.split(' | ');
  const sed = after === undefined ? `cat ${FOLDER}/${pattern.file}` : (before ?? '');
  const text = execFileSync('sh', ['-c', sed], { cwd: workspaceRoot(), encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** A field of a manifest, by its path. */
export function field(manifest: Manifest | undefined, ...path: ReadonlyArray<string | number>): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    manifest,
  );
}
