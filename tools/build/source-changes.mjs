import { lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor may write a file in several steps, and a checkout of another branch writes many. */
const QUIET_MS = 50;

/** The changes of files below folders, folders that are made later included. */
export class SourceChanges {
  #root;
  #watchers = new Map();
  #changed = new Set();
  #timer;
  #report = () => undefined;
  #isClosed = false;

  /**
   * @param {string} root the folder that all paths are relative to
   * @param {readonly string[]} folders
   */
  constructor(root, folders) {
    this.#root = root;
    for (const folder of folders) this.#addFolder(folder, () => undefined);
  }

  /**
   * Waits until a file has changed since the last call, and no further one for a moment. There may be one caller at a time.
   *
   * @returns {Promise<string[] | undefined>} the paths of the files; undefined once the watch is closed
   */
  next() {
    return new Promise((resolve) => {
      this.#report = () => {
        if (!this.#isClosed && this.#changed.size === 0) return;
        const changed = [...this.#changed];
        this.#changed.clear();
        this.#report = () => undefined;
        resolve(this.#isClosed ? undefined : changed);
      };
      if (this.#isClosed || this.#timer === undefined) this.#report();
    });
  }

  get isClosed() {
    return this.#isClosed;
  }

  /** Ends the watch. It may be called twice. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#report();
  }

  #note(path) {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#report();
    }, QUIET_MS);
  }

  /** Watches a folder and those below it. What is in it already is given to `onFile`. */
  #addFolder(folder, onFile) {
    // A folder that was removed and made again needs a new watcher.
    this.#watchers.get(folder)?.close();
    const watcher = watch(join(this.#root, folder), (event, name) =>
      this.#onEvent(event, join(folder, name)),
    );
    watcher.on('error', () => watcher.close());
    this.#watchers.set(folder, watcher);
    for (const entry of readdirSync(join(this.#root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#addFolder(path, onFile);
      else onFile(path);
    }
  }

  #onEvent(event, path) {
    if (this.#isClosed) return;
    this.#note(path);
    if (event !== 'rename' || !this.#isFolder(path)) return;
    try {
      this.#addFolder(path, (file) => this.#note(file));
    } catch (error) {
      // The folder is gone again.
      if (error.code !== 'ENOENT') throw error;
    }
  }

  #isFolder(path) {
    return lstatSync(join(this.#root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  }
}
