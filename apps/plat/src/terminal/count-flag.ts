import { Failure } from './failure';
import { Flags } from './oclif';

/** A flag that takes a whole number from 1, up to `max` if that is given. @throws Failure INVALID_NUMBER */
export const countFlag = Flags.custom<number, { max?: number }>({
  helpValue: '<number>',
  parse: async (text, _context, { max = Infinity }) => {
    const isCount = /^[1-9]\d{0,8}$/.test(text);
    if (isCount && Number(text) <= max) return Number(text);
    const why = isCount ? `is more than ${max}` : 'is not a whole number from 1';
    throw new Failure('INVALID_NUMBER', `${JSON.stringify(text)} ${why}.`);
  },
});
