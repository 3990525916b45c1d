import { faultsOf, unreasoned } from './findings.mjs';

const finding = (file: string, rule: string) => ({ file, line: 11, rule_name: rule, message: 'It breaks.' });
describe('a finding in a migration', () => {
  it('is reported with its file, line and rule', () => {
    const found = finding('libs/database/migrations/0061_more.sql', 'ban-drop-column');
    expect(faultsOf([found])).toEqual([
      'libs/database/migrations/0061_more.sql:12: ban-drop-column: It breaks.',
    ]);
  });
});

describe('a comment that silences the linter', () => {
  it.each([
    ['a rule and a reason', '-- squawk-ignore ban-drop-view -- no one reads it', 0],
    ['two rules and a reason', '-- squawk-ignore ban-drop-view, ban-drop-type -- no one reads it', 0],
    ['no reason', '-- squawk-ignore ban-drop-view', 1],
    ['no rule', '-- squawk-ignore', 1],
    ['a whole file', '-- squawk-ignore-file ban-drop-view -- no one reads it', 1],
  ])('with %s', (_what, line, faults) => {
    expect(unreasoned('0061_more.sql', `SELECT 1;\n${line}\n`)).toHaveLength(faults);
  });
});
