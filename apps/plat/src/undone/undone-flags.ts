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
