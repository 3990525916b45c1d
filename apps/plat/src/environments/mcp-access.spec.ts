import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ForwardStand, MCP_TOKEN } from '../black-box/forward-stand';
import type { McpAccess } from './mcp-access';

const SECRET = /get secret acme-runtime-mcp/;

let stand: ForwardStand;
const begin = async (config?: string) => (stand = await ForwardStand.create(config));
afterEach(() => stand.dispose());

const tokenPath = () => join(stand.machine.configFolder, 'acme', 'dev', 'mcp-token');
const accessOf = (run: Awaited<ReturnType<ForwardStand['open']>>) => run.json<{ mcp?: McpAccess }>().mcp;

describe('plat open hands the token of the MCP server to the person. Rule H8', () => {
  it('in a file that only its owner can read, and names it without the token', async () => {
    await begin();
    const run = await stand.open('--debug');
    expect(accessOf(run)).toEqual({
      url: `http://127.0.0.1:${stand.port('mcp')}/mcp`,
      tokenPath: tokenPath(),
    });
    expect(await readFile(tokenPath(), 'utf8')).toBe(`${MCP_TOKEN}\n`);
    expect((await stat(tokenPath())).mode & 0o777).toBe(0o600);
    const again = await stand.plat('open', 'acme', 'dev', '--no-shell');
    expect(again.stdout).toContain(
      `MCP: http://127.0.0.1:${stand.port('mcp')}/mcp, with the bearer token in ${tokenPath()}\n`,
    );
    for (const text of [MCP_TOKEN, Buffer.from(MCP_TOKEN).toString('base64')]) {
      expect([run, again].flatMap(({ stdout, stderr }) => [stdout, stderr]).join('')).not.toContain(text);
    }
  });

  it.each([
    ['that has none', { when: SECRET }, 'has no token for callers: plat deploy acme dev makes one.'],
    [
      'whose secret the person may not read',
      { when: SECRET, code: 1, stderr: 'Error from server (Forbidden): secrets "x" is forbidden' },
      'warning: the token of the MCP server was not read: ',
    ],
  ])('of an environment %s it is a warning', async (_, script, warning) => {
    await begin();
    await stand.answer(script);
    const run = await stand.open();
    expect(run.code).toBe(0);
    expect(accessOf(run)).toBeUndefined();
    expect(run.stderr).toContain(warning);
    expect(existsSync(tokenPath())).toBe(false);
  });

  it('but not for a port that its forward does not have: another program would get the token', async () => {
    await begin();
    await stand.withoutService('acme-mcp');
    expect(accessOf(await stand.open())).toBeUndefined();
    expect(existsSync(tokenPath())).toBe(false);
  });

  it('is not asked for if the pod does not serve MCP', async () => {
    await begin('mcpEnabled: false\n');
    const run = await stand.open();
    expect([accessOf(run), run.stderr]).toEqual([undefined, '']);
    expect((await stand.open('--dry-run')).stdout).not.toContain('secret');
  });
});
