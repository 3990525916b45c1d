import type { GateMerge } from '../gate/gate-merge';
import { GateCheckout, lines } from './gate-checkout';
import { Machine } from './plat-process';

/** A person's setting, attribute or variable: how it is made, and the variables of the command. */
export type Setting = (checkout: GateCheckout) => Promise<Record<string, string> | void>;

export const configured =
  (...settings: [key: string, value: string][]): Setting =>
  async (checkout) => {
    for (const [key, value] of settings) await checkout.git('config', key, value);
  };

/** Commits on main and pushes it. */
export async function pushTarget(checkout: GateCheckout, files: Record<string, string>): Promise<void> {
  await checkout.commit(files, 'Target');
  await checkout.git('push', '--quiet', 'origin', 'main');
}

/**
 * `clean` renames three files and edits them, which the target edits as well, moves a folder to which the target adds
 * a file, and has a file whose best line matches depend on the algorithm. `clash` changes a line that the target
 * changes too.
 */
async function makeHostileHistory(checkout: GateCheckout): Promise<void> {
  const file = (name: string, changed = {}) => lines(1, 40, changed).replaceAll('line', `${name} line`);
  const before: Record<string, string> = { 'crlf.txt': lines(1, 30).replaceAll('\n', '\r\n') };
  for (const name of ['a', 'b', 'c']) before[`${name}.txt`] = file(name);
  for (const name of ['1', '2', '3']) before[`folder/${name}`] = file(name);
  await pushTarget(checkout, before);
  await checkout.git('switch', '--quiet', '--create', 'clean', 'main');
  await checkout.git('mv', 'folder', 'moved');
  for (const name of ['a', 'b', 'c']) {
    await checkout.git('mv', `${name}.txt`, `new-${name}.txt`);
    await checkout.commit({ [`new-${name}.txt`]: file(name, { 3: 'three' }) }, 'Rename');
  }
  await checkout.commit({ 'crlf.txt': lines(1, 30, { 3: 'three' }).replaceAll('\n', '\r\n') }, 'Edit');
  await checkout.git('push', '--quiet', 'origin', 'clean');
  await checkout.git('switch', '--quiet', 'main');
  await checkout.branch('clash', { 'README.md': 'app of the source\n' });
  const after: Record<string, string> = { 'folder/4': 'new\n', 'README.md': 'app of the target\n' };
  for (const name of ['a', 'b', 'c']) after[`${name}.txt`] = file(name, { 30: 'thirty' });
  after['crlf.txt'] = lines(1, 30, { 25: 'twenty-five' }).replaceAll('\n', '\r\n');
  await pushTarget(checkout, after);
}

/** Machines whose gates merge histories in which settings of a person could change the merge. */
export class MergeHistories {
  private readonly machines: Machine[] = [];

  /** A machine with a checkout, and its gate-merge. */
  async setUp() {
    const machine = await Machine.create();
    this.machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = async (sources: string[], env: Record<string, string> = {}) => {
      const args = [
        'exec',
        'gate-merge',
        '--messages-on-stdin',
        ...sources.map((source) => `--source=${source}`),
        '--json',
      ];
      const run = await machine.plat(args, { cwd: checkout.folder, input: sources.join('\0'), env });
      return run.json<GateMerge>();
    };
    return { machine, checkout, gate };
  }

  /** The merges of two histories without any setting, which each other case has to repeat. */
  async outcome(set: Setting) {
    const { checkout, gate } = await this.setUp();
    await makeHostileHistory(checkout);
    const env = (await set(checkout)) ?? {};
    const { merged, skipped, mergeCommit } = await gate(['clean', 'clash'], env);
    return {
      merged: merged.map(({ sourceBranch }) => sourceBranch),
      skipped: skipped.map(({ sourceBranch, reason, files }) => ({ sourceBranch, reason, files })),
      tree: await checkout.tree(mergeCommit),
      files: await checkout.git('ls-tree', '-r', '--name-only', mergeCommit),
    };
  }

  remove(): Promise<unknown> {
    return Promise.all(this.machines.map((machine) => machine.remove()));
  }
}

/** How the gate merged both branches of a history. */
export type MergeOutcome = Awaited<ReturnType<MergeHistories['outcome']>>;
