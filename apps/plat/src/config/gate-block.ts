import { Failure } from '../terminal/failure';
import { checkDocument, placed } from './config-check';
import { parseConfigDocument } from './config-document';
import { parseGateCommand } from './config-library.js';

/**
 * The command in the block `gate` of a project's own file; undefined if the file has no such block. Rule H3.
 *
 * @param path for messages
 * @throws Failure CONFIG_UNREADABLE; CONFIG_INVALID, with every fault of the file
 */
export async function readGateCommand(path: string, text: string): Promise<string | undefined> {
  const file = await parseConfigDocument(path, text);
  const { faults } = checkDocument('project', file);
  if (faults.length === 0) return parseGateCommand(file.content);
  throw new Failure('CONFIG_INVALID', faults.map(placed).join('; '), {
    details: { faults },
    next: 'correct the file on the target branch',
  });
}
