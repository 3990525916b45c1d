import { UNDONE_DAYS } from '../before-push/find-undone';
import { countFlag } from '../terminal/count-flag';
import { Flags } from '../terminal/oclif';

export const undoneDaysFlag = countFlag({
  description: `Landings of how many days are examined besides those since the source parted from the target (default: ${UNDONE_DAYS})`,
  max: 3_650,
});

export const refuseUndoneFlag = Flags.boolean({
  description:
    'Refuse a review that is sure or likely to take back work of earlier landings, unless it says that it reverts it',
});

// In the group of the terminal, so no tool has it: a person says it.
export const onPurposeFlag = Flags.string({
  description:
    'Record in a comment of the review that it takes back the work of this landing, by the id of its review or commit',
  helpValue: '<landing>',
  helpGroup: 'TERMINAL',
});
