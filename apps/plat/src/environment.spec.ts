import { readEnvironment } from './environment';

describe('the environment', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { HOME: '/h' }, '/h/.config/plat'],
    ['linux', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, '/x/plat'],
    ['linux', { HOME: '/h', XDG_CONFIG_HOME: 'relative' }, '/h/.config/plat'],
    ['darwin', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, '/h/Library/Application Support/plat'],
    ['win32', { HOME: '/h', APPDATA: '/a' }, '/a/plat'],
  ])('keeps the configuration on %s with %j in %s', (platform, variables, folder) => {
    expect(readEnvironment(variables, platform).configFolder).toBe(folder);
  });

  it('finds a folder without HOME', () => {
    expect(readEnvironment({}, 'linux').configFolder).toMatch(/\/\.config\/plat$/);
  });

  it.each([
    [{}, undefined],
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, undefined],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
  ])('wants colour with %j: %s', (variables, colour) => {
    expect(readEnvironment(variables).colour).toBe(colour);
  });
});
