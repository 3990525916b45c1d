import { readForgeVariables } from './forge-variables';

describe("gh's variables", () => {
  it('are read as gh defines them: its own before the shared ones, and an empty one as unset', () => {
    const both = { GH_TOKEN: 'a', GITHUB_TOKEN: 'b', GH_ENTERPRISE_TOKEN: 'c', GITHUB_ENTERPRISE_TOKEN: 'd' };
    expect(readForgeVariables(both)).toMatchObject({ token: 'a', enterpriseToken: 'c' });
    const empty = { ...both, GH_TOKEN: '', GH_ENTERPRISE_TOKEN: '' };
    expect(readForgeVariables(empty)).toMatchObject({ token: 'b', enterpriseToken: 'd' });
    const none = readForgeVariables({ HOME: '/h' });
    expect(none).toEqual({ token: undefined, enterpriseToken: undefined, ghFolder: '/h/.config/gh' });
  });

  it.each([
    [{ GH_CONFIG_DIR: '/g', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/g'],
    [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/gh'],
    [{ HOME: '/h' }, '/h/.config/gh'],
  ])('%j place its session in %s', (variables, ghFolder) => {
    expect(readForgeVariables(variables)).toMatchObject({ ghFolder });
  });
});
