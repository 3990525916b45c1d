import { keepWholeSettings } from './git-settings';

describe("git's settings in variables", () => {
  it('are numbered again without those of which a part was taken away, since git would refuse to run', () => {
    const variables = {
      PATH: '/bin',
      GIT_CONFIG_COUNT: '4',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_KEY_1: 'core.abbrev',
      GIT_CONFIG_VALUE_1: '12',
      GIT_CONFIG_VALUE_2: 'no',
      GIT_CONFIG_KEY_3: 'user.name',
      GIT_CONFIG_VALUE_3: '',
    };
    expect(keepWholeSettings(variables)).toEqual({
      PATH: '/bin',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'core.abbrev',
      GIT_CONFIG_VALUE_0: '12',
      GIT_CONFIG_KEY_1: 'user.name',
      GIT_CONFIG_VALUE_1: '',
    });
  });

  it.each([
    [{}],
    [{ GIT_CONFIG_COUNT: '0' }],
    [{ GIT_CONFIG_COUNT: 'many' }],
    [{ GIT_CONFIG_COUNT: '1000000000' }],
    [{ GIT_CONFIG_COUNT: '-1' }],
    [{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' }],
  ])('stay as they are: %j', (variables) => {
    expect(keepWholeSettings(variables)).toEqual(variables);
  });
});
