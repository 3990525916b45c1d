import { Failure } from './failure';
import { Flags } from './oclif';

/** A flag that takes a whole number from 1. @throws Failure INVALID_NUMBER */
export const countFlag = Flags.custom<number>({
  helpValue: '<number>',
  parse: async (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new Failure('INVALID_NUMBER', `${JSON.stringify(text)} is not a whole number from 1.`);
  },
});
