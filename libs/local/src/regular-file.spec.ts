import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from '@plat/testing';
import { type FileBounds, type FileRefused, readRegularFile } from './regular-file';

describe('a file that another person may have made', () => {
  let home: string;
  let folder: string;
  let path: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'plat-file-'));
    folder = join(home, 'checkout');
    mkdirSync(join(folder, 'docker'), { recursive: true });
    path = join(folder, 'file');
    writeFileSync(join(home, 'secret'), 'secret');
    writeFileSync(join(folder, 'docker', 'file'), 'inside');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const faultOf = (bounds: Partial<FileBounds> = {}, of = path) => {
    try {
      return readRegularFile(of, { bytesMax: 1000, ...bounds }).toString();
    } catch (error) {
      return (error as FileRefused).fault;
    }
  };

  it('is read if it is a regular one within its bounds', () => {
    writeFileSync(path, 'x'.repeat(1000));
    expect(faultOf()).toBe('x'.repeat(1000));
    expect(faultOf({ inside: folder, mayBeLink: false })).toBe('x'.repeat(1000));
    writeFileSync(path, '');
    expect(faultOf()).toBe('');
  });

  it.each<[string, () => unknown, string]>([
    ['is not there', () => undefined, 'absent'],
    ['is below a file', () => (path = join(folder, 'docker', 'file', 'x')), 'absent'],
    ['is a folder', () => mkdirSync(path), 'folder'],
    ['is a pipe without a writer', () => execFileSync('mkfifo', [path]), 'irregular'],
    ['is a link to a device', () => symlinkSync('/dev/zero', path), 'irregular'],
    [
      'is a link to a pipe',
      () => (execFileSync('mkfifo', [`${path}.p`]), symlinkSync('file.p', path)),
      'irregular',
    ],
    ['is a link to itself', () => symlinkSync('file', path), 'link'],
    ['is a link to nothing', () => symlinkSync('nothing', path), 'absent'],
    ['is one byte too long', () => writeFileSync(path, 'x'.repeat(1001)), 'large'],
    ['is huge and sparse', () => (writeFileSync(path, ''), truncateSync(path, 5 * 1024 ** 3)), 'large'],
    ['has a name that is too long', () => (path = join(folder, 'x'.repeat(300))), 'unreadable'],
    // The system says that these have no bytes.
    ['is of the system and without an end', () => (path = '/proc/self/mountinfo'), 'large'],
  ])('is refused at once if it %s', (_what, make, fault) => {
    make();
    expect(faultOf(path.startsWith('/proc') ? { bytesMax: 10 } : {})).toBe(fault);
  });

  it('is refused if it is a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    expect(faultOf()).toBe('irregular');
    await new Promise((resolve) => server.close(resolve));
  });

  it('may be a link inside its folder, and none out of it', () => {
    symlinkSync('docker/file', path);
    expect(faultOf({ inside: folder })).toBe('inside');
    rmSync(path);
    symlinkSync('../secret', path);
    expect(faultOf({ inside: folder })).toBe('outside');
    expect(faultOf()).toBe('secret');
  });

  it('may be below no link out of its folder', () => {
    symlinkSync('..', join(folder, 'up'));
    expect(faultOf({ inside: folder }, join(folder, 'up', 'secret'))).toBe('outside');
  });

  it('is no link, and below none, if links are refused', () => {
    symlinkSync('docker/file', path);
    symlinkSync('docker', join(folder, 'linked'));
    const bounds = { inside: folder, mayBeLink: false };
    expect(faultOf(bounds)).toBe('link');
    expect(faultOf(bounds, join(folder, 'linked', 'file'))).toBe('link');
    expect(faultOf(bounds, join(folder, 'docker', 'file'))).toBe('inside');
  });

  it('is read in a folder that is a link itself', () => {
    symlinkSync('checkout', join(home, 'link'));
    const bounds = { inside: join(home, 'link'), mayBeLink: false };
    expect(faultOf(bounds, join(home, 'link', 'docker', 'file'))).toBe('inside');
  });
});
