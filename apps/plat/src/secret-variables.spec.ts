import { isPassed, isSecretVariable } from './secret-variables';

describe('a variable that a gate, a build or a job does not get', () => {
  it.each([
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'GITLAB_TOKEN',
    'CI_JOB_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    'LLM_API_KEY',
    'LLM_AUTH_TOKEN',
    'OPENAI_API_KEY',
    'NPM_TOKEN',
    'NODE_AUTH_TOKEN',
    'NPM_CONFIG__AUTH',
    'npm_config_//registry.npmjs.org/:_authToken',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_PROFILE',
    'AZURE_CLIENT_SECRET',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'PGPASSWORD',
    'DB_PASS',
    'DOCKER_AUTH_CONFIG',
    'SENTRY_DSN',
    'SIGNING_KEY',
    'SSH_AUTH_SOCK',
    'GIT_ASKPASS',
  ])('is %s', (name) => {
    expect([isSecretVariable(name), isPassed(name, [])]).toEqual([true, false]);
  });

  it.each([
    'PATH',
    'HOME',
    'LANG',
    'CI',
    'TERM',
    'HTTPS_PROXY',
    'NODE_OPTIONS',
    'JAVA_HOME',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'KUBECONFIG',
    'DATABASE_URL',
    'TOKENIZERS_PARALLELISM',
    'KEYBOARD',
    'PLAT_BUILD_VERSION',
    'PLAT_TENANT',
    'BUILDKIT_PROGRESS',
    'GIT_SSH_COMMAND',
    'GIT_AUTHOR_NAME',
    'AUTHOR',
    'COMPASS_DIR',
  ])('is not %s', (name) => {
    expect([isSecretVariable(name), isPassed(name, [])]).toEqual([false, true]);
  });

  it('is none that the person names, by its whole name or by how it begins', () => {
    const passed = ['NPM_TOKEN', 'AWS_*'];
    const names = ['NPM_TOKEN', 'AWS_PROFILE', 'AWS_SESSION_TOKEN', 'NPM_TOKEN_2', 'GH_TOKEN'];
    expect(names.map((name) => isPassed(name, passed))).toEqual([true, true, true, false, false]);
    expect(isPassed('GH_TOKEN', 'all')).toBe(true);
  });
});
