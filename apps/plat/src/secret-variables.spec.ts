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
    'BW_SESSION',
    'OP_SESSION_my',
    'SSHPASS',
  ])('is %s', (name) => {
    expect([isSecretVariable(name, ''), isPassed([name, ''], [])]).toEqual([true, false]);
  });

  it.each([
    ['DATABASE_URL', 'postgres://app:hunter2@db.example.com/app'],
    ['DATABASE_URL', 'postgres://app:p@ss@db.example.com/app'],
    ['DATABASE_URL', 'postgres://db.example.com/app?user=app&password=hunter2'],
    ['REDIS_URL', 'redis://:hunter2@cache.example.com:6379/0'],
    ['PIP_INDEX_URL', 'https://me:hunter2@pypi.example.com/simple'],
    ['PIP_EXTRA_INDEX_URL', 'https://pypi.org/simple https://a-token@pypi.example.com/simple'],
    ['UV_DEFAULT_INDEX', 'https://a-token:@pypi.example.com/simple'],
    ['CARGO_REGISTRIES_OWN_INDEX', 'sparse+https://a-token@crates.example.com/'],
    ['HTTPS_PROXY', 'http://me:hunter2@proxy.example.com:3128'],
    ['GIT_CONFIG_VALUE_0', 'AUTHORIZATION: basic dTpw'],
    ['GIT_CONFIG_KEY_0', 'url.https://me:hunter2@git.example.com/.insteadOf'],
    ['GIT_CONFIG_PARAMETERS', "'http.extraheader'='Authorization: Basic dTpw'"],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-api-key=hunter2'],
    ['FEEDS', '{"endpointCredentials":[{"username":"me","password":"hunter2"}]}'],
    ['STORAGE', 'AccountName=a;AccountKey=aHVudGVyMg=='],
    ['CERTIFICATE', '-----BEGIN EC PRIVATE KEY-----\nMHc'],
    ['FORGE', 'ghp_0123456789abcdefghij'],
    ['MODEL', 'sk-proj-0123456789abcdefghij'],
    ['STRIPE', 'sk_live_0123456789abcdefghij'],
    ['CHAT', `xoxb-${'0123456789-abcdefghij'}`],
    ['SLACK_WEBHOOK', `https://hooks.slack.com/${'services/T0/B0/hunter2'}`],
    ['ALERTS', 'https://discord.com/api/webhooks/1/hunter2'],
    ['ConnectionStrings__Default', 'Server=db.example.com;Uid=app;Pwd=hunter2;'],
    ['SIGNED', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'],
  ])('is %s with the value %s', (name, value) => {
    expect([isSecretVariable(name, ''), isSecretVariable(name, value)]).toEqual([false, true]);
    expect([isPassed([name, value], []), isPassed([name, value], [name])]).toEqual([false, true]);
  });

  it.each([
    ['DATABASE_URL', 'postgres://app@localhost/app'],
    ['DATABASE_URL', 'postgres:///app'],
    ['REMOTE', 'ssh://git@git.example.com/acme/app'],
    ['REMOTE', 'git@git.example.com:acme/app'],
    ['PIP_INDEX_URL', 'https://pypi.org/simple'],
    ['PACKAGE', 'http://localhost:4873/@scope/name'],
    ['HTTPS_PROXY', 'http://proxy.example.com:3128'],
    ['GIT_CONFIG_VALUE_0', 'https://git.example.com/'],
    ['MAVEN_OPTS', '-Djavax.net.ssl.trustStorePassword=changeit'],
    ['BASH_FUNC_ask%%', '() {  echo "password: "; read -rs answer\n}'],
    ['AUTHORS', 'Authorization by the legal department'],
    ['SLACK_URL', 'https://acme.slack.com/archives'],
    ['BASH_FUNC_where%%', '() {  pwd=$(pwd); echo "$pwd"\n}'],
    ['IMAGE', 'registry.example.com/desk-application-of-the-office:1.0'],
  ])('is not %s with the value %s', (name, value) => {
    expect([isSecretVariable(name, value), isPassed([name, value], [])]).toEqual([false, true]);
  });

  it('is found in a value of any length by work that grows with the length alone', () => {
    const length = 500_000;
    const values = [
      'eyJ-',
      'a://',
      'http://a:',
      'authorization ',
      '"a',
      '?password',
      'ghp_',
      ';pwd',
      'sk-',
      '//a.',
      '//hooks.slack.com',
    ].map((part) => part.repeat(length / part.length));
    const began = process.cpuUsage();
    expect(values.map((value) => isSecretVariable('VALUE', value))).not.toContain(undefined);
    // Work that grows with the square of the length takes minutes of the processor's time.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20);
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
    expect([isSecretVariable(name, ''), isPassed([name, ''], [])]).toEqual([false, true]);
  });

  it('is none that the person names, by its whole name or by how it begins', () => {
    const passed = ['NPM_TOKEN', 'AWS_*'];
    const names = ['NPM_TOKEN', 'AWS_PROFILE', 'AWS_SESSION_TOKEN', 'NPM_TOKEN_2', 'GH_TOKEN'];
    expect(names.map((name) => isPassed([name, ''], passed))).toEqual([true, true, true, false, false]);
    expect(isPassed(['GH_TOKEN', ''], 'all')).toBe(true);
  });
});
