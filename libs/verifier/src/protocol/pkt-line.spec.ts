import fc from 'fast-check';
import { DELIMITER, encodeLine, FLUSH, readPackets } from './pkt-line';

async function* inChunks(bytes: Buffer, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
async function read(bytes: Buffer, size = 1_000): Promise<string[]> {
  const packets: string[] = [];
  for await (const packet of readPackets(inChunks(bytes, size), { chargePacket: () => undefined })) {
    packets.push(packet.toString());
  }
  return packets;
}

describe('readPackets', () => {
  it('returns lines and markers for any split of the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 50 }), async (texts, size) => {
        const bytes = Buffer.concat([...texts.map(encodeLine), FLUSH, DELIMITER, Buffer.from('0002')]);
        expect(await read(bytes, size)).toEqual([...texts, 'flush', 'delimiter', 'response-end']);
      }),
    );
  });

  it.each(['0003', 'zzzz', '-001', ' 12 ', '0x10'])('refuses the length %j', async (length) => {
    await expect(read(Buffer.from(`${length}payload of some length`))).rejects.toMatchObject({
      reason: 'remote_unreadable',
      message: 'malformed line length',
    });
  });

  it.each(['0', '000', '0005', '00ffcut'])('refuses an end after %j', async (bytes) => {
    await expect(read(Buffer.from(bytes))).rejects.toMatchObject({
      message: 'answer cut in the middle of a line',
    });
  });
});
