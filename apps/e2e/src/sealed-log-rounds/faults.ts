import type { Findings, Witness } from './judgement';
import { LOG_FAULTS } from './log-faults';
import { RESIGNED_FAULTS } from './resigned-faults';
import type { Round } from './round';
import { ROW_FAULTS } from './row-faults';
import { VIEW_FAULTS } from './view-faults';

/** Something that a person does to a log who may run any SQL, and perhaps has a key. */
export interface Fault {
  /** @returns another witness than the round's own reader, if it needs one */
  alter(round: Round): Promise<Witness | void>;
  /** The findings of each observer. One that finds nothing does so by design: docs/proof.md says what each one sees. */
  found: Findings;
  /** Whether rows may be written and sealed afterwards, which must change nothing in what is found. */
  goesOn?: boolean;
}

/** The faults by kind, and by name. */
export const FAULTS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  'rows and salts': ROW_FAULTS,
  'entries, tiles and roots': LOG_FAULTS,
  'rewritten and signed': RESIGNED_FAULTS,
  'backups and views': VIEW_FAULTS,
};
