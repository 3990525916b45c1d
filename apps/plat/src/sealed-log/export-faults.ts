import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { Altered } from './altered';
import type { ExportFolder } from './export-folder';

/** The platform's log does not hold. A folder with an earlier export is left as it was; another one has the log as it was shown. */
export function logNotSound({ message, index }: Altered, { root, former }: ExportFolder): Failure {
  const next = former
    ? nextStep(
        'keep',
        [root],
        ', which is as it was; export to a new folder what the platform shows now, and show both to its administrator',
      )
    : nextStep(
        'keep',
        [root],
        ', in which plat audit verify finds it as well, and show it to the administrator of the platform',
      );
  const text = `The platform shows a log that is not sound: ${message}`;
  return new Failure('LOG_NOT_SOUND', text, { details: { index }, next });
}

/** The same failure, for a log that a new folder has now as it was shown. */
export const logContradicts = (
  { code, message, details = {}, exitCode }: Failure,
  { root }: ExportFolder,
): Failure =>
  new Failure(code, message, {
    ...{ details, exitCode },
    next: nextStep(
      'keep',
      [root],
      ', which has the log as the platform shows it now, and both checkpoints (--json shows them), and ask the administrator of the platform how the log was changed',
    ),
  });

/** The folder's content does not hold, or the platform's log does not continue it. */
export const exportAltered = ({ message, index }: Altered, { root }: ExportFolder): Failure =>
  new Failure('EXPORT_ALTERED', `${root} and the log of the platform do not fit together: ${message}`, {
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
