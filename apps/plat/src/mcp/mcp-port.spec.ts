import { mcpPort } from './mcp-port';

describe('PLAT_MCP_PORT', () => {
  it.each([
    [undefined, undefined],
    ['1024', 1024],
    ['17000', 17_000],
    ['65535', 65_535],
  ])('%s is the port %s', (text, port) => {
    expect(mcpPort(text)).toBe(port);
  });

  it.each(['1023', '65536', '170000', '17e3', ' 17000', '-1', 'mcp', '0x4268'])(
    'refuses %s instead of serving on another port',
    (text) => {
      expect(() => mcpPort(text)).toThrow(expect.objectContaining({ code: 'INVALID_PORT' }));
    },
  );
});
