import { isId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { Args } from '../terminal/oclif';

/** The gate run that a command is about; what is no id is refused before it becomes part of a call. */
export const gateRunIdArgument = Args.string({
  description: 'Id of the gate run',
  required: true,
  ignoreStdin: true,
  parse: async (text) => {
    if (isId(text)) return text;
    throw new Failure('INVALID_ID', `The gate run ${JSON.stringify(text)} is not an id.`, {
      next: 'plat gate list',
    });
  },
});
