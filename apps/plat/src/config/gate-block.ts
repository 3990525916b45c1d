import { Failure } from '../terminal/failure';
import { checkDocument, placed } from './config-check';
import { parseConfigDocument } from './config-document';
import { parseGateBlock } from './config-library.js';

export type GateBlock = ReturnType<typeof parseGateBlock>;

/**
 * The block `gate` of a project's own file; empty if the file has none. Rule H3.
 *
 * @param path for messages
 * @throws Failure CONFIG_UNREADABLE; CONFIG_INVALID, with every fault of the file
 */
export async function readGateBlock(path: string, text: string): Promise<GateBlock> {
  const file = await parseConfigDocument(path, text);
  const { faults } = checkDocument('project', file);
  if (faults.length === 0) return parseGateBlock(file.content);
  throw new Failure('CONFIG_INVALID', faults.map(placed).join('; '), {
    details: { faults },
    next: 'correct the file on the target branch',
  });
}
