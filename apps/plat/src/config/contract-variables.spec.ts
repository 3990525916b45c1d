import { Machine } from '../black-box/plat-process';
import { readEnvironment } from '../environment';
import { contractVariables } from './contract-variables';

describe("the contract's variables in the client, Rule H14,", () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.create();
  });
  afterAll(() => machine.remove());

  const plat = (line: string, env: Record<string, string>) => machine.plat(line.split(' '), { env });

  it('are read by their types, an empty one as unset', () => {
    const environment = readEnvironment({ PLAT_MCP_PORT: '17100', PLAT_REPO_PATH: '' }, 'linux');
    expect(contractVariables(environment, ['PLAT_MCP_PORT', 'PLAT_REPO_PATH'])).toEqual({
      PLAT_MCP_PORT: 17_100,
    });
  });

  it('are refused in one message that names all that are wrong', async () => {
    const env = {
      PLAT_MCP_PORT: '80',
      PLAT_TENANT: 'A',
      PLAT_DISABLE_BUILD_SCRIPT: 'yes',
      PLAT_IDLE_TIMEOUT: '5 minutes',
    };
    const run = await plat('mcp --json', env);
    expect(run.code).toBe(1);
    expect(run.json()).toEqual({
      code: 'INVALID_VARIABLES',
      message:
        'PLAT_TENANT "A" is no name of a tenant or environment; PLAT_MCP_PORT "80" is no port from 1024 to 65535; ' +
        'PLAT_DISABLE_BUILD_SCRIPT "yes" is neither true nor false.',
      details: {
        variables: ['PLAT_TENANT', 'PLAT_MCP_PORT', 'PLAT_DISABLE_BUILD_SCRIPT'],
        next: 'correct or unset PLAT_TENANT, PLAT_MCP_PORT, PLAT_DISABLE_BUILD_SCRIPT',
      },
      exitCode: 1,
    });
  });

  it('are named, also those that one command alone reads', () => {
    const environment = readEnvironment({ PLAT_SSHD_PORT: '23' }, 'linux');
    expect(() => contractVariables(environment, ['PLAT_SSHD_PORT'])).toThrow(
      /^PLAT_SSHD_PORT "23" is neither 22/,
    );
  });

  it('keep no command from running that does not read the wrong one', async () => {
    expect((await plat('config path', { PLAT_MCP_PORT: 'x', PLAT_TENANT: '../..' })).code).toBe(0);
    expect((await plat('mcp --stdio --json', { PLAT_MCP_PORT: 'x' })).code).toBe(0);
  });

  it.each([
    ['PLAT_IDLE_PROBE', '1', 'PLAT_IDLE_PROBE "1" is not true.'],
    ['PLAT_FORCE_TTY', 'yes', 'PLAT_FORCE_TTY "yes" is not 1.'],
  ])('that every command reads are refused by every command: %s', async (name, text, message) => {
    const run = await plat('config path', { [name]: text });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toBe(`error INVALID_VARIABLES: ${message}\nnext: correct or unset ${name}\n`);
  });
});
