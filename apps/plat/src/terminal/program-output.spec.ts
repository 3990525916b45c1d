import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ended, Machine } from '../black-box/plat-process';
import { passOutput } from './program-output';

/** A title, the clipboard, a colour, a cleared screen in C1, a bell, and a character that reverses the direction. */
const EVIL = '\u001b]0;pwned\u0007\u001b]52;c;cHduZWQ=\u0007\u001b[31mRED\u009b2J\u202eRTL';
const OBEYED = /(?![\n\t])[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('the output of a program that runs the code of a branch', () => {
  const passed = (isTTY: boolean, ...chunks: Buffer[]) => {
    const written: Buffer[] = [];
    const write = (chunk: string | Uint8Array) => written.push(Buffer.from(chunk as string)) > 0;
    const output = passOutput({ isTTY, write } as unknown as NodeJS.WriteStream);
    for (const chunk of chunks) output(chunk);
    return Buffer.concat(written);
  };

  it('has nothing in it that a terminal obeys', () => {
    const shown = passed(true, Buffer.from(`${EVIL}\n\tdone\n`)).toString();
    expect(shown).not.toMatch(OBEYED);
    expect(shown).toContain('RED');
    expect(shown).toMatch(/\n\tdone\n$/);
  });

  it('keeps a character that arrives in two parts, and begins a line at a carriage return', () => {
    const bytes = Buffer.from('10 %\r20 ü\r\ndone\n');
    expect(passed(true, bytes.subarray(0, 9), bytes.subarray(9)).toString()).toBe('10 %\n20 ü\ndone\n');
  });

  it('is passed on unchanged to a pipe or a file', () => {
    const bytes = Buffer.concat([Buffer.from(EVIL), Buffer.from([0xff, 0x0d])]);
    expect(passed(false, bytes)).toEqual(bytes);
  });

  it('is cleaned if it is a build script’s', async () => {
    const machine = await Machine.create();
    const folder = join(machine.home, 'project');
    await mkdir(folder);
    await writeFile(join(folder, 'VERSION'), '1.0.0\n');
    await writeFile(join(folder, 'evil.txt'), EVIL);
    await writeFile(join(folder, 'build.sh'), '#!/bin/sh\ncat evil.txt\n', { mode: 0o755 });
    const env = { PLAT_FORCE_TTY: '1', FORCE_COLOR: '0' };
    const child = await machine.start(['build', '--no-push', '--no-report'], { cwd: folder, env });
    const { code, stderr } = await ended(child);
    await machine.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('RTL') as unknown });
    expect(stderr).not.toMatch(OBEYED);
  });
});
