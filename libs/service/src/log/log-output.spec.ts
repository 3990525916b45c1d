import { constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { execFileSync } from '@plat/testing';
import { LogFile } from './log-file';
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

/** An output with the sentences that it would write to stderr. */
function outputTo(stream: Writable | LogFile) {
  const warned: string[] = [];
  return { output: new LogOutput(stream, (sentence) => void warned.push(sentence)), warned };
}

const line = (length: number): string => `${'x'.repeat(length - 1)}\n`;

describe('the output of a log', () => {
  it('collects lines and writes them in order, the last ones at the end', async () => {
    const pipe = new Pipe();
    pipe.read();
    const { output } = outputTo(pipe);
    output.write('{"n":1}\n');
    output.write('{"n":2}\n');
    expect(pipe.taken).toEqual([]);
    expect(await output.end()).toBe(true);
    expect(pipe.taken.join('')).toBe('{"n":1}\n{"n":2}\n');
  });

  it('writes at once when the lines are long enough', () => {
    const pipe = new Pipe();
    outputTo(pipe).output.write(line(5000));
    expect(pipe.taken).toEqual([line(5000)]);
  });

  it('keeps a bounded number of bytes for a reader who reads nothing, and counts the dropped lines', async () => {
    const pipe = new Pipe();
    const { output, warned } = outputTo(pipe);
    for (let n = 0; n < 2_000; n++) output.write(line(1_000));
    expect(pipe.writableLength).toBeLessThan(1.1 * 1024 * 1024);
    expect(await output.end()).toBe(false);
    pipe.read();
    expect(await output.end()).toBe(true);
    const text = pipe.taken.join('');
    const { lines } = JSON.parse(text.trim().split('\n').at(-1)!) as { lines: number };
    expect(text.split(line(1_000)).length - 1 + lines).toBe(2_000);
    expect(output.linesLost).toBe(lines);
    expect(warned).toEqual([
      expect.stringContaining('Lines of the log are lost (its reader does not keep up)'),
    ]);
  });

  it('ends without delay if the reader has gone, counts further lines and reports them once', async () => {
    const pipe = new Pipe();
    const { output, warned } = outputTo(pipe);
    pipe.destroy(new Error('EPIPE'));
    await new Promise((resolve) => pipe.once('close', resolve));
    output.write(line(10_000));
    output.write(line(10_000));
    expect(await output.end()).toBe(true);
    expect(pipe.taken).toEqual([]);
    expect([output.linesLost, warned.length]).toEqual([2, 1]);
  });
});

describe('a log in a file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'plat-log-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is for its owner alone, and goes on at the end of the file', async () => {
    const path = join(folder, 'log');
    for (const text of ['a\n', 'b\n']) {
      const file = LogFile.open(path);
      const { output } = outputTo(file);
      output.write(text);
      expect(await output.end()).toBe(true);
      file.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  });

  it('on a full disk loses lines, counts them, reports the first loss and fails nothing', async () => {
    const { output, warned } = outputTo(LogFile.open('/dev/full'));
    for (let n = 0; n < 50; n++) output.write(line(1000));
    expect(await output.end()).toBe(true);
    expect(output.linesLost).toBe(50);
    expect(warned).toEqual([
      'Lines of the log are lost (ENOSPC). The service goes on; plat_log_lines_lost_total at /metrics counts them.',
    ]);
  });

  it('goes on where there is room again, and says how many lines are missing', async () => {
    // A pipe that refuses what it has no room for stands for the disk.
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const { output } = outputTo(new LogFile(fd));
    for (let n = 0; n < 100; n++) output.write(line(1000));
    output.flush();
    const missing = output.linesLost;
    expect(missing).toBeGreaterThan(20);
    const read = Buffer.alloc(200_000);
    const before = readSync(fd, read);
    output.write('{"n":1}\n');
    output.flush();
    const text = read.toString('utf8', 0, before) + read.toString('utf8', 0, readSync(fd, read));
    const lines = text.trimEnd().split('\n');
    expect(lines.slice(-2).map((each) => JSON.parse(each) as object)).toEqual([
      { n: 1 },
      expect.objectContaining({ lines: missing }),
    ]);
    expect(lines.filter((each) => each.length === 999).length).toBe(100 - missing);
    expect(output.linesLost).toBe(missing);
  });
});
