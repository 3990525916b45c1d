import { lowestFreeBlock, overlappingBlocks, portBlock } from './port-blocks';

const at = (tenant: string, localPortRangeStart: number) => ({
  tenant,
  environment: 'dev',
  localPortRangeStart,
});
const ALL = Array.from({ length: 485 }, (_, place) => 17_000 + place * 100);

describe('blocks of ports, Rule H5', () => {
  it('have 100 ports: MCP +0, SSH +22, API +33', () => {
    expect(portBlock(17_000)).toEqual({ start: 17_000, end: 17_099, mcp: 17_000, sshd: 17_022, api: 17_033 });
  });

  it.each([
    [[], 17_000],
    [[17_000], 17_100],
    [[17_100, 17_000, 17_300], 17_200],
    // A start that was set by hand, whose block lies across two others.
    [[17_050], 17_200],
    [[1024], 17_000],
    [ALL.slice(0, -1), 65_400],
    [ALL, undefined],
  ])('next to %j the lowest free one starts at %s', (taken, start) => {
    expect(lowestFreeBlock(taken)).toBe(start);
  });

  it('that overlap are found pair by pair, and named', () => {
    const environments = [
      at('c', 17_150),
      at('a', 17_000),
      at('d', 17_250),
      at('b', 17_099),
      at('e', 17_099),
    ];
    expect(
      overlappingBlocks(environments).map(({ environments: [one, other] }) => `${one} ${other}`),
    ).toEqual(['a-dev b-dev', 'a-dev e-dev', 'b-dev e-dev', 'b-dev c-dev', 'e-dev c-dev']);
    expect(overlappingBlocks([at('a', 17_000), at('b', 17_100)])).toEqual([]);
  });
});
