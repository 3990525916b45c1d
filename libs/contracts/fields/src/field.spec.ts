import { validateSync } from 'class-validator';
import { arrange, declaredFields, Field, judge } from './field';
import * as rules from './rules';

class Base {
  @Field(rules.id, { description: 'first' })
  first!: string;
}

class Derived extends Base {
  @Field(rules.boolean, { description: 'second' })
  second!: boolean;

  @Field(rules.version, { description: 'third', optional: true })
  third?: string;
}

const ID = '0190a0b0-c0d0-7000-8000-000000000001';
const faultsOf = (shape: Derived) =>
  validateSync(shape)
    .map(({ property }) => property)
    .sort();

describe('a declared field', () => {
  it('stands in order of declaration, inherited ones first', () => {
    expect(declaredFields(Derived).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(declaredFields(Base).map(({ name }) => name)).toEqual(['first']);
    expect(declaredFields(class Bare {})).toEqual([]);
  });

  it('is checked by class-validator with the rule that declares it', () => {
    expect(faultsOf(Object.assign(new Derived(), { first: ID, second: true }))).toEqual([]);
    expect(faultsOf(Object.assign(new Derived(), { first: 1, second: 'true', third: 'x' }))).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('is required unless it is optional', () => {
    expect(faultsOf(new Derived())).toEqual(['first', 'second']);
    expect(judge(rules.id, undefined)).toEqual({ message: 'is required' });
    expect(judge(rules.id, null)).toEqual({ message: 'is required' });
  });
});

class Listed {
  @Field(rules.name, { description: 'name' })
  name!: string;

  @Field(rules.listOfShape(Derived), { description: 'items', optional: true })
  items?: Derived[];
}

describe('arrange', () => {
  it('puts fields in the order of declaration, also those of the items of a list', () => {
    const value = { items: [{ second: true, first: ID }], name: 'a' };
    expect(JSON.stringify(arrange(Listed, value))).toBe(
      JSON.stringify({ name: 'a', items: [{ first: ID, second: true }] }),
    );
  });

  it('refuses a field that is not declared', () => {
    const value = { name: 'a', items: [{ first: ID, second: true, more: 1, most: 2 }] };
    expect(() => arrange(Listed, value)).toThrow('Derived does not declare more, most');
  });
});
