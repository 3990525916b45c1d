import { StringDecoder } from 'node:string_decoder';
import { printableOutput } from './printable';

/** A stream of this process to which the output of a started program is passed on. */
type OutputStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/**
 * Passes the output of a program that runs a branch's code to a stream as it arrives. A terminal gets text alone, in which a
 * carriage return begins a line, so that it obeys nothing that the program prints. A pipe or a file gets each byte.
 *
 * @param forced whether the stream counts as a terminal although it is none
 */
export function passOutput(stream: OutputStream, forced = false): (chunk: Buffer) => void {
  if (!forced && stream.isTTY !== true) return (chunk) => void stream.write(chunk);
  // A chunk may end within a character.
  const decoder = new StringDecoder('utf8');
  return (chunk) => void stream.write(printableOutput(decoder.write(chunk).replaceAll(/\r\n?/g, '\n')));
}
