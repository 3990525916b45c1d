import { createSocket } from 'node:dgram';

export interface TestNameServer {
  /** The address and port, as `address:port`. */
  address: string;
  /** How often IPv4 addresses were asked for. */
  asked(): number;
  close(): Promise<void>;
}

/**
 * Starts a name server that has IPv4 addresses for every name. It answers the first question with the first list, the
 * second with the second, and repeats the last list.
 */
export async function startTestNameServer(answers: readonly (readonly string[])[]): Promise<TestNameServer> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isIpv4 = question.readUInt16BE(question.length - 4) === 1;
    const addresses = isIpv4 ? (answers[Math.min(asked, answers.length - 1)] ?? []) : [];
    if (isIpv4) asked += 1;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, question, ...addresses.map(record)]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Type A, class IN, no time to live, for the name of the question. */
function record(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
}
