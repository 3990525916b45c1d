import { logKeyFlag } from '../sealed-log/log-keys';
import { Flags } from '../terminal/oclif';

/** The flags of a command that pushes to a target branch, by which it records a checkpoint of the log afterwards. */
export const checkpointFlags = {
  'record-checkpoint': Flags.boolean({
    description: "Keep the sealed log's checkpoint in a ref of origin",
  }),
  'log-key': logKeyFlag(['record-checkpoint']),
};
