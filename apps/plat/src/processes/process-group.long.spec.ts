import { once } from 'node:events';
import { identify, isThere, type ProcessIdentity } from '@plat/local';
import { spawn } from '@plat/testing';
import { endLeftGroup } from './left-group';
import { runGroup } from './process-group';
import { processTable } from './process-table';

jest.setTimeout(30_000);

const never = () => new AbortController().signal;
const run = (script: string, more: Partial<Parameters<typeof runGroup>[0]> = {}) => {
  let printed = '';
  const end = runGroup({
    argv: ['/bin/sh', '-c', script],
    folder: '/',
    interrupted: never(),
    output: (chunk) => (printed += chunk.toString('utf8')),
    ...more,
  });
  return end.then((ended) => ({ ...ended, printed }));
};

describe('a program in a process group of its own', () => {
  it('reports how it ended and its output on both streams', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      code: 3,
      signal: null,
      printed: expect.stringMatching(/out\n(.|\n)*err\n|err\n(.|\n)*out\n/),
    });
    expect(await run('kill -9 $$')).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('reads no input, and gets its arguments unchanged', async () => {
    const { printed } = await run('cat; echo "$1"', {
      argv: ['/bin/sh', '-c', 'cat; echo "$1"', 'sh', "a 'b' $c"],
    });
    expect(printed).toBe("a 'b' $c\n");
  });

  it('does not begin before its leader is recorded, and never if recording fails', async () => {
    const noted: ProcessIdentity[] = [];
    const { printed } = await run('echo $$', {
      beginning: async (leader) => void noted.push(leader),
    });
    expect(printed).toBe(`${noted[0]?.pid}\n`);
    let begun = false;
    const failed = run('echo begun', {
      output: () => (begun = true),
      beginning: () => Promise.reject(new Error('the disk is full')),
    });
    await expect(failed).rejects.toThrow('the disk is full');
    expect(begun).toBe(false);
  });

  it('is ended with all processes that it started if it is interrupted', async () => {
    const stop = new AbortController();
    const leaders: ProcessIdentity[] = [];
    const running = run('sleep 300 & echo "$!"; wait', {
      interrupted: stop.signal,
      beginning: async (leader) => void leaders.push(leader),
      output: () => stop.abort(new Error('stopped')),
    });
    await expect(running).rejects.toThrow('stopped');
    expect(await Promise.all(leaders.map(isThere))).toEqual([false]);
  });
});

describe('processes that outlive the program that started them', () => {
  const isRunning = async (pid: string) =>
    (await processTable()).some((each) => each.pid === Number(pid.trim()));

  it.each([
    ['in the group', 'sleep 300 & echo $!'],
    ['in the group, deaf to SIGTERM', `sh -c 'trap "" TERM; while :; do sleep 300; done' & echo $!`],
    ['in a session of its own', 'setsid sleep 300 & echo $!'],
    ['in a session of its own, with other streams', 'setsid sleep 300 > /dev/null 2>&1 & echo $!'],
  ])('are ended, and do not keep the end from being reported: %s', async (_where, script) => {
    const { code, printed } = await run(`${script}; exit 0`);
    expect(code).toBe(0);
    expect(await isRunning(printed)).toBe(false);
  });

  it('do not keep the end from being reported even if they cannot be found', async () => {
    const { code, printed } = await run('env -i setsid sleep 300 & echo $!');
    expect(code).toBe(0);
    process.kill(Number(printed), 'SIGKILL');
  });

  it('do not keep an interruption from ending the run', async () => {
    const stop = new AbortController();
    let printed = '';
    const running = run('env -i setsid sleep 300 & echo $!', {
      interrupted: stop.signal,
      output(chunk) {
        printed += chunk.toString('utf8');
        stop.abort(new Error('stopped'));
      },
    });
    await expect(running).rejects.toThrow('stopped');
    process.kill(Number(printed), 'SIGKILL');
  });

  it('have their output read if it comes soon after the end', async () => {
    expect((await run('(read -r line; echo "$line") < /proc/version & exit 0')).printed).toContain('ersion');
  });
});

describe('a process group that a killed process left', () => {
  const leave = async (script: string) => {
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const leader = await identify(child.pid ?? 0);
    if (!leader) throw new Error('it has ended already');
    return { child, leader, ended: once(child, 'close'), line: line.toString() };
  };

  it('is ended if its leader is the recorded process', async () => {
    const { leader, ended } = await leave('echo ready; sleep 300; true');
    expect(await endLeftGroup(leader)).toBe(true);
    await ended;
    expect(await endLeftGroup(leader)).toBe(false);
  });

  it('is not touched if the process with that id began at another time', async () => {
    const { leader, ended, child } = await leave('echo ready; exec sleep 300');
    await expect(endLeftGroup({ ...leader, began: 'another' })).rejects.toMatchObject({
      code: 'LEFT_PROCESSES',
      message: expect.stringContaining('sleep 300'),
      next: expect.stringContaining(`kill -- -${leader.pid}`),
    });
    expect(await isThere(leader)).toBe(true);
    child.kill('SIGKILL');
    await ended;
  });

  it('is refused with its names if its leader has ended and others of it run', async () => {
    const { leader, child, line } = await leave('sleep 300 > /dev/null & echo $!; read -r go');
    child.stdin?.end();
    await once(child, 'close');
    await expect(endLeftGroup(leader)).rejects.toMatchObject({ code: 'LEFT_PROCESSES' });
    process.kill(Number(line), 'SIGKILL');
  });
});
