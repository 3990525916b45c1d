import { faultsOf } from './licences.mjs';

const locked = (license: string | undefined, more: object = {}) => ({ version: '1.0.0', license, ...more });

describe('the licence of a package', () => {
  it.each([['MIT'], ['(MIT OR GPL-3.0-only)'], ['Apache-2.0 AND MIT']])('%s is allowed', (licence) => {
    expect(faultsOf({ 'node_modules/a': locked(licence) })).toEqual([]);
  });

  it.each([
    ['AGPL-3.0-only', 'AGPL-3.0-only is not on the list'],
    ['MIT AND GPL-2.0-only', 'MIT AND GPL-2.0-only is not on the list'],
    ['SEE LICENSE IN x', "'SEE LICENSE IN x' is no SPDX expression"],
    [undefined, 'no licence is known'],
  ])('%s is refused', (licence, fault) => {
    expect(faultsOf({ '': locked('UNLICENSED'), 'node_modules/a': locked(licence) })).toEqual([
      expect.stringContaining(`a@1.0.0: ${fault}`),
    ]);
  });

  it('of data is allowed for tools, and refused in what is shipped', () => {
    expect(faultsOf({ 'node_modules/a': locked('CC-BY-4.0', { dev: true }) })).toEqual([]);
    expect(faultsOf({ 'node_modules/a': locked('CC-BY-4.0') })).toHaveLength(1);
  });

  it('of a package for one platform is that of the package that asks for it', () => {
    const part = { 'node_modules/a-linux': locked(undefined, { os: ['linux'] }) };
    const whole = locked('MIT', { optionalDependencies: { 'a-linux': '1.0.0' } });
    expect(faultsOf({ ...part, 'node_modules/a': whole })).toEqual([]);
    expect(faultsOf(part)).toHaveLength(1);
  });
});
