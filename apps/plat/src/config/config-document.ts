import type { Document, Node } from 'yaml';
import { defined } from '@plat/contracts/core';
import { FileRefused, readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { findBoundFault } from './yaml-bounds';

/** Longest file that is read. */
const BYTES_MAX = 1024 * 1024;

/** A file of the configuration: a YAML mapping with its comments. */
export interface ConfigDocument {
  path: string;
  /** Undefined if there is no file. */
  text: string | undefined;
  document: Document;
  /** The mapping as plain data; an empty one for a missing or empty file. */
  content: Record<string, unknown>;
  /** The line of a field, from 1; for a missing one the line of the nearest field above it. Undefined at the top. */
  lineOf(field: ReadonlyArray<string | number>): number | undefined;
}

/**
 * The text of a file; undefined if there is none.
 *
 * @param inside the checkout of a project's own file, out of which its links must not lead
 * @throws Failure CONFIG_UNREADABLE
 */
export function readConfigText(path: string, inside?: string): string | undefined {
  try {
    // Every command waits for the user's file. A synchronous read is fastest: a promise would go to another thread four
    // times.
    return readRegularFile(path, { bytesMax: BYTES_MAX, inside }).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.fault === 'absent') return undefined;
    throw unreadable(path, `it ${error.message}`);
  }
}

/**
 * @param inside as in readConfigText
 * @throws Failure CONFIG_UNREADABLE, with the line, if the file is not one YAML mapping
 */
export async function readConfigDocument(path: string, inside?: string): Promise<ConfigDocument> {
  return parseConfigDocument(path, readConfigText(path, inside));
}

/** @param path for messages. @throws Failure CONFIG_UNREADABLE, with the line, if the text is not one YAML mapping */
export async function parseConfigDocument(path: string, text: string | undefined): Promise<ConfigDocument> {
  const { isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser } = await import('yaml');
  const tooMuch = findBoundFault({ Lexer, Parser }, text ?? '');
  if (tooMuch !== undefined) throw unreadable(path, tooMuch);
  const lines = new LineCounter();
  const document = parseDocument(text ?? '', { lineCounter: lines, prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) throw unreadable(path, withoutHint(wrong.message), lines.linePos(wrong.pos[0]).line);

  const lineOf: ConfigDocument['lineOf'] = (field) => {
    let [node, start]: [unknown, number | undefined] = [document.contents, undefined];
    for (const part of field) {
      const pair = isMap(node)
        ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
        : undefined;
      const place = pair?.key ?? (isSeq(node) ? node.items[Number(part)] : undefined);
      if (place === undefined) break;
      start = (place as Node).range?.[0];
      node = pair ? pair.value : place;
    }
    return start === undefined ? undefined : lines.linePos(start).line;
  };
  return { path, text, document, content: mappingOf(path, document), lineOf };
}

function mappingOf(path: string, document: Document): Record<string, unknown> {
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch (error) {
    // An alias without its anchor, or aliases that would make a small file enormous.
    throw unreadable(path, (error as Error).message);
  }
  if (isMapping(content)) return content;
  throw unreadable(path, 'the top level is not a mapping');
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes a field of a mapping. The comments above it stay, because above the first field they are the file's. */
export async function removeField(document: Document, names: readonly string[]): Promise<void> {
  const { isMap, isNode, isScalar } = await import('yaml');
  const map = names.length === 1 ? document.contents : document.getIn(names.slice(0, -1), true);
  if (!isMap(map)) return;
  const place = map.items.findIndex(({ key }) => isScalar(key) && String(key.value) === names.at(-1));
  const [removed] = place < 0 ? [] : map.items.splice(place, 1);
  const above = isNode(removed?.key) ? removed.key.commentBefore : undefined;
  if (above === null || above === undefined) return;
  const next = map.items[place]?.key;
  if (isNode(next)) next.commentBefore = joined(above, next.commentBefore);
  else map.comment = joined(map.comment, above);
}

function joined(...comments: ReadonlyArray<string | null | undefined>): string {
  return comments.filter((comment) => comment !== null && comment !== undefined).join('\n');
}

/** Removes the parser's advice, which is meant for programmers. */
function withoutHint(message: string): string {
  return message.split(/; please use /)[0]?.replace(/[.:]+$/, '') ?? message;
}

export function unreadable(path: string, why: string, line?: number): Failure {
  const place = line === undefined ? '' : `line ${line}: `;
  return new Failure('CONFIG_UNREADABLE', `Cannot read ${path}: ${place}${why}.`, {
    details: defined({ path, line }),
    next: nextStep('correct', [path], ', or move it away'),
  });
}
