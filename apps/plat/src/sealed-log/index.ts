/** The exports for tests of the whole product. Within the client, each file is imported by its own name. */
export { type ExportedLog, exportLog } from './export-log';
export type { LogFolder } from './log-folder';
export { readCheckpoint, type SignedCheckpoint, verifyCheckpoint } from './signed-checkpoint';
export { verifyExport } from './verify-export';
export { type Judgement, verifyLog } from './verify-log';
