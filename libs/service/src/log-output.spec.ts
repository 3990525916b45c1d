import { Writable } from 'node:stream';
import { LogOutput } from './log-output';

/** A stream whose reader takes the first write, and further writes only after `read`. */
class Pipe extends Writable {
  readonly taken: string[] = [];
  private readonly pending: (() => void)[] = [];
  private open = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(String(chunk));
    if (this.open) done();
    else this.pending.push(done);
  }

  read(): void {
    this.open = true;
    for (const done of this.pending.splice(0)) done();
  }
}

const line = (length: number): string => `${'x'.repeat(length - 1)}\n`;

describe('the output of a log', () => {
  it('collects lines and writes them in order, the last ones at the end', async () => {
    const pipe = new Pipe();
    pipe.read();
    const output = new LogOutput(pipe);
    output.write('{"n":1}\n');
    output.write('{"n":2}\n');
    expect(pipe.taken).toEqual([]);
    expect(await output.end()).toBe(true);
    expect(pipe.taken.join('')).toBe('{"n":1}\n{"n":2}\n');
  });

  it('writes at once when the lines are long enough', () => {
    const pipe = new Pipe();
    new LogOutput(pipe).write(line(5000));
    expect(pipe.taken).toEqual([line(5000)]);
  });

  it('keeps a bounded number of bytes for a reader who reads nothing, and counts the dropped lines', async () => {
    const pipe = new Pipe();
    const output = new LogOutput(pipe);
    for (let n = 0; n < 2_000; n++) output.write(line(1_000));
    expect(pipe.writableLength).toBeLessThan(1.1 * 1024 * 1024);
    expect(await output.end()).toBe(false);
    pipe.read();
    expect(await output.end()).toBe(true);
    const text = pipe.taken.join('');
    const { lines } = JSON.parse(text.trim().split('\n').at(-1)!) as { lines: number };
    expect(text.split(line(1_000)).length - 1 + lines).toBe(2_000);
  });

  it('ends without delay if the reader has gone, and drops further lines', async () => {
    const pipe = new Pipe();
    const output = new LogOutput(pipe);
    pipe.destroy(new Error('EPIPE'));
    await new Promise((resolve) => pipe.once('close', resolve));
    output.write(line(10_000));
    expect(await output.end()).toBe(true);
    expect(pipe.taken).toEqual([]);
  });
});
