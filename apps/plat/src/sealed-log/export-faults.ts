import { Failure } from '../terminal/failure';
import type { Altered } from './altered';

/** The platform's log does not hold, and the folder has it as it was shown. */
export const logNotSound = ({ message, index }: Altered, folder: string): Failure =>
  new Failure('LOG_NOT_SOUND', `The platform shows a log that is not sound: ${message}`, {
    details: { index },
    next: `keep ${folder}, in which plat audit verify finds it as well, and show it to the administrator of the platform`,
  });

/** The platform shows entries that the folder has as other ones than were sealed. */
export const noLongerSound = ({ message, index }: Altered, folder: string): Failure =>
  new Failure('LOG_NOT_SOUND', `The platform no longer shows what was sealed: ${message}`, {
    details: { index },
    next: `keep ${folder}, which has the entries as they were, and ask the administrator of the platform`,
  });

/** What the folder has does not hold, or does not go on to the platform's log. */
export const exportAltered = ({ message, index }: Altered, folder: string): Failure =>
  new Failure('EXPORT_ALTERED', `${folder} and the log of the platform do not fit together: ${message}`, {
    details: { index },
    next: 'export to a new folder, and keep this one to compare them',
  });

export const erasureNotSealed = (index: number): Failure =>
  new Failure(
    'ERASURE_NOT_SEALED',
    `The fields of entry ${index} are withheld, and no sealed entry says that they were erased.`,
    {
      details: { index },
      next: 'repeat the command in a minute; if the answer is the same then, the platform withholds what it has to show',
    },
  );
