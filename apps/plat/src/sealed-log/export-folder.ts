import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileLock, FileRefused, holdFileLock, type PatientWait, removeLeftOvers } from '@plat/local';
import { Failure } from '../terminal/failure';
import { filesBelow, readIfThere } from './log-folder';
import { belongs, CHECKPOINT, isOfLog, isUnderWay, LOCK, UNFINISHED, UNWRITTEN } from './log-layout';
import { requireOwnFolder } from './own-folder';
import { readCheckpoint, type SignedCheckpoint } from './signed-checkpoint';

/** A folder to which a log is exported. Every file appears in it whole or not at all. */
export class ExportFolder {
  /** Folders that exist. */
  private readonly made = new Set<string>();

  private constructor(
    readonly root: string,
    /** The checkpoint of the export that is in the folder, if there is one. */
    readonly former?: SignedCheckpoint,
    /** The log of which the folder has an export, whole or unfinished. */
    readonly origin?: string,
  ) {}

  /**
   * Takes a folder of this user that is empty, or has an export. Makes a private one if there is none, and its parent
   * exists; the mode of one that was there stays.
   *
   * @throws Failure FOLDER_NOT_USABLE, FOLDER_NOT_AN_EXPORT
   */
  static async open(root: string): Promise<ExportFolder> {
    await makeFolder(root);
    const names = await readdir(root);
    const [note, unfinished] = [CHECKPOINT, UNFINISHED].map((name) => readOwn(root, name));
    if (note === undefined && unfinished === undefined) {
      if (!names.every(isUnderWay)) throw notAnExport(root);
      return new ExportFolder(root);
    }
    const former = note && readFormer(root, note);
    return new ExportFolder(root, former, former?.origin ?? unfinished?.toString().trim());
  }

  /**
   * Keeps other exports out of the folder.
   *
   * @param patience waits for one that is at work in it
   * @throws Failure FOLDER_NOT_USABLE if this process may not write to it
   */
  async lock(patience: PatientWait): Promise<FileLock> {
    try {
      return await holdFileLock(join(this.root, LOCK), patience);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (error instanceof FileRefused) throw notUsable(this.root, `${LOCK} in it ${error.message}`);
      throw READ_ONLY.includes(code) ? notUsable(this.root, `it may not be written to (${code})`) : error;
    }
  }

  /** Says, for as long as the export is not whole, of which log it is. */
  begin(origin: string): Promise<void> {
    return this.write(UNFINISHED, `${origin}\n`);
  }

  /** @throws Failure FOLDER_NOT_USABLE for what is no file of an export, such as a link */
  async read(path: string): Promise<Buffer | undefined> {
    return readOwn(this.root, path);
  }

  /**
   * Writes a new file, and puts it in its place in one step. No link is followed.
   *
   * @param durable wait until it is on the disk
   * @throws Failure FOLDER_NOT_USABLE if a link or another user's folder is in the place of a folder
   */
  async write(path: string, content: Buffer | string, { durable = false } = {}): Promise<void> {
    const target = join(this.root, path);
    await this.makeFolders(dirname(path));
    // A killed export may have left it, or another person a link.
    await rm(`${target}${UNWRITTEN}`, { force: true });
    const file = await open(`${target}${UNWRITTEN}`, 'wx');
    try {
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${target}${UNWRITTEN}`, target);
  }

  /** Writes the checkpoint, and removes what an earlier size or a killed export has left. */
  async finish(checkpoint: SignedCheckpoint): Promise<void> {
    await this.write(CHECKPOINT, checkpoint.note, { durable: true });
    await this.rollBack(checkpoint);
  }

  /** Leaves what belongs to an export that is whole, and nothing else. */
  async rollBack({ size }: SignedCheckpoint): Promise<void> {
    const left: string[] = [];
    for await (const path of filesBelow(this.root)) {
      if (path.endsWith(UNWRITTEN) || (isOfLog(path) && !belongs(path, size))) left.push(path);
    }
    for (const path of left) await rm(join(this.root, path));
    for (const folder of new Set(left.map((path) => dirname(path)))) await this.removeIfEmpty(folder);
    await removeLeftOvers(join(this.root, LOCK));
    await rm(join(this.root, UNFINISHED), { force: true });
  }

  private async makeFolders(folder: string): Promise<void> {
    if (folder === '.' || this.made.has(folder)) return;
    await this.makeFolders(dirname(folder));
    const path = join(this.root, folder);
    await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      await requireOwnFolder(path, (why) => notUsable(this.root, `${folder} in it ${why}`));
    });
    this.made.add(folder);
  }

  private async removeIfEmpty(folder: string): Promise<void> {
    const path = join(this.root, folder);
    if ((await readdir(path)).length === 0) await rmdir(path);
  }
}

/** Makes no parents: a path with a typing error would become folders. */
async function makeFolder(root: string): Promise<void> {
  try {
    await mkdir(root, { mode: 0o700 });
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return requireOwnFolder(root, (why) => notUsable(root, `it ${why}`));
    throw notUsable(root, WHY_NO_FOLDER[code]?.(root) ?? message);
  }
}

function readOwn(root: string, path: string): Buffer | undefined {
  try {
    return readIfThere(root, path);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw notUsable(root, `${path} in it ${error.message}`);
  }
}

const notUsable = (root: string, why: string): Failure =>
  new Failure('FOLDER_NOT_USABLE', `${root} cannot be the folder of an export: ${why}.`, {
    next: 'name a new folder in one that exists',
  });

const READ_ONLY: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

const WHY_NO_FOLDER: Readonly<Record<string, (root: string) => string>> = {
  ENOENT: (root) => `there is no folder ${dirname(root)}`,
  ENOTDIR: (root) => `${dirname(root)} is a file`,
};

function readFormer(root: string, note: Buffer): SignedCheckpoint {
  try {
    return readCheckpoint(note);
  } catch {
    throw notAnExport(root);
  }
}

const notAnExport = (root: string): Failure =>
  new Failure('FOLDER_NOT_AN_EXPORT', `${root} has files, and is not the export of a log.`, {
    next: 'name a new folder, or one with an earlier export of this log',
  });
