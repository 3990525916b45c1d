import { type FieldRule, judge } from './field';
import { rules } from './index';

const ID = '0190a0b0-c0d0-7000-8000-000000000001';
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

const stringRules: Record<string, { rule: FieldRule; accepted: string[]; refused: string[] }> = {
  name: { rule: rules.name, accepted: ['x', 'x'.repeat(512)], refused: ['', ' \t', 'x'.repeat(513)] },
  reason: {
    rule: rules.reason,
    accepted: ['', 'why', 'x'.repeat(16_384), 'ü'.repeat(8192)],
    refused: ['x'.repeat(16_385), 'ü'.repeat(8193)],
  },
  requiredReason: { rule: rules.requiredReason, accepted: ['why'], refused: ['', ' \n', 'x'.repeat(16_385)] },
  branch: {
    rule: rules.branch,
    accepted: ['main', 'feature/12-x', 'x'.repeat(255)],
    refused: ['', ' ', '-x', 'a..b', 'a b', 'refs/', 'x.lock', 'x'.repeat(256)],
  },
  remote: {
    rule: rules.remote,
    accepted: ['', 'https://forge.example/o/r'],
    refused: [`https://forge.example/${'x'.repeat(2048)}`],
  },
  id: { rule: rules.id, accepted: [ID, ID.toUpperCase()], refused: ['', '1', `{${ID}}`] },
  commitId: {
    rule: rules.commitId,
    accepted: [COMMIT],
    refused: ['', COMMIT.toUpperCase(), COMMIT.slice(1)],
  },
  version: { rule: rules.version, accepted: ['1.2.3'], refused: ['', '1.2', 'v1.2.3'] },
  instant: {
    rule: rules.instant,
    accepted: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00+23:00'],
    refused: ['', '2026-01-01', '2026-02-30T00:00:00Z', '294277-01-01T00:00:00Z'],
  },
  oneOf: { rule: rules.oneOf(['OPEN', 'CLOSED']), accepted: ['OPEN'], refused: ['', 'open', 'OPEN '] },
  integerText: {
    rule: rules.integerText,
    accepted: ['0', '7', '-3', '+5', '9'.repeat(40)],
    refused: ['', '1.5', '1e3', '0x10', 'ten', ' 7', '7\n', '--1', '٣'],
  },
  filterText: { rule: rules.filterText(3), accepted: ['', 'abc'], refused: ['abcd'] },
  cursor: {
    rule: rules.cursor,
    accepted: [`2026-01-01T00:00:00.000000000Z,${ID}`],
    refused: ['', 'abc', `2026-01-01T00:00:00Z,1`],
  },
};

describe.each(Object.entries(stringRules))('the rule %s', (_, { rule, accepted, refused }) => {
  it.each(accepted.map((value) => [value]))('accepts %.40j', (value) => {
    expect(judge(rule, value)).toBeUndefined();
  });

  it.each(refused.map((value) => [value]))('refuses %.40j', (value) => {
    expect(judge(rule, value)?.message).toMatch(/^must /);
  });

  it.each([[1], [true], [['x']], [{ toString: () => 'x' }], [NaN], [Symbol('x')]])(
    'refuses what is no string: %p',
    (value) => {
      expect(judge(rule, value)?.message).toBe('must be a string');
    },
  );

  it.each(['x\0y', '\ud800'])('refuses text that the database cannot keep: %j', (value) => {
    expect(judge(rule, value)?.message).toBe('must be well-formed text without NUL');
  });
});

describe('codes of their own', () => {
  it.each([
    ['INVALID_COMMIT_ID', rules.commitId, 'x'],
    ['INVALID_VERSION', rules.version, 'x'],
    ['INVALID_TARGET_BRANCH', rules.refusedAs('INVALID_TARGET_BRANCH', rules.branch), ''],
  ] as const)('%s is refused with the code of its rule', (code, rule, value) => {
    expect(judge(rule, value)?.code).toBe(code);
  });

  it('INVALID_TARGET_BRANCH also for an absent one, and INVALID_BODY for one that is no string', () => {
    const rule = rules.refusedAs('INVALID_TARGET_BRANCH', rules.branch);
    expect(judge(rule, undefined)).toEqual({ code: 'INVALID_TARGET_BRANCH', message: 'is required' });
    expect(judge(rule, 7)?.code).toBeUndefined();
  });
});

describe('the rules of other types', () => {
  it('boolean: neither a word nor a number', () => {
    for (const value of [true, false]) expect(judge(rules.boolean, value)).toBeUndefined();
    for (const value of ['true', 1, 0, [], {}]) {
      expect(judge(rules.boolean, value)?.message).toMatch(/true or false/);
    }
  });

  it('integer: no text, no fraction, nothing beyond 2^53', () => {
    for (const value of [0, -1, 2 ** 53 - 1]) expect(judge(rules.integer, value)).toBeUndefined();
    for (const value of ['1', 1.5, 2 ** 53, NaN]) {
      expect(judge(rules.integer, value)?.message).toMatch(/integer/);
    }
  });

  it('lists: nothing but an array', () => {
    for (const rule of [rules.texts, rules.listOfShape(class Row {})]) {
      expect(judge(rule, [])).toBeUndefined();
      expect(judge(rule, {})?.message).toBe('must be a list');
    }
  });

  it('judgedLater: anything that is there, with the schema of the rule', () => {
    const rule = rules.judgedLater(rules.version);
    expect(judge(rule, 'anything')).toBeUndefined();
    expect(rule.schema).toBe(rules.version.schema);
  });
});
