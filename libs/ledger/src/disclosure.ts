import { parseBase64 } from './base64';
import { SALT_BYTES } from './commitment';
import { Malformed } from './malformed';

/** The line with which an export discloses an entry. An entry whose fields were erased has neither salt nor fields. */
export interface Disclosure {
  index: number;
  shown?: {
    /** 16 bytes. */
    salt: Buffer;
    /** Canonical JSON, byte for byte as committed. */
    fields: string;
  };
}

const LINE = /^\{"index":(0|[1-9]\d{0,15})(?:,"salt":"([^"]*)","fields":(\{[^\n]*\}))?\}$/;

/** The line, without the newline at its end. */
export function formatDisclosure({ index, shown }: Disclosure): string {
  if (shown === undefined) return `{"index":${index}}`;
  return `{"index":${index},"salt":"${shown.salt.toString('base64')}","fields":${shown.fields}}`;
}

/**
 * Reads a line. `isCommitted` says whether the fields are those of the entry.
 *
 * @throws Malformed if it is none
 */
export function parseDisclosure(line: string): Disclosure {
  const [whole, index, base64, fields] = LINE.exec(line) ?? [];
  const salt = base64 === undefined ? undefined : parseBase64(base64, SALT_BYTES);
  const isShown = salt !== undefined && fields !== undefined;
  if (whole === undefined || isShown !== (base64 !== undefined)) {
    throw new Malformed('The line does not disclose an entry.');
  }
  return { index: Number(index), shown: isShown ? { salt, fields } : undefined };
}
