/**
 * Runs command lines of the built client in one process, one after another: its parent sends each, and gets the exit code
 * when the run has ended. A start of Node costs more than most commands.
 *
 * Each run evaluates the client again, save a library without state, whose evaluation takes longer than most commands.
 * It ends when nothing of it keeps the event loop alive, as a process does, and its sockets, timers and listeners go with
 * it. Its output goes to stdout and stderr, which are files that the parent reads.
 * Usage: a fork of this file, with the folder of the built client.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, sep } = require('node:path');
const { Readable } = require('node:stream');
const { constants, Script } = require('node:vm');

/* eslint-disable no-restricted-properties -- the variables of each run are those of its command line */

const folder = process.argv[2];
const [entry, bundle] = ['plat.js', 'cli.js'].map((name) => join(folder, name));
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
/** The schemas of the configuration, which most commands load. */
const KEPT = join(folder, 'config-library.js');
const script = new Script(
  `(function (exports, require, module, __filename, __dirname) {${readFileSync(bundle, 'latin1')}\n})`,
  { filename: bundle, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
);

process.on('message', (line) => {
  void run(line).then((code) => process.send(code));
});
// A run that does not end would keep this process after its parent.
process.once('disconnect', () => process.exit());

async function run({ args, cwd, env, input }) {
  const restore = keepProcess();
  if (input !== undefined) giveInput(input);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, entry, ...args];
  process.exitCode = undefined;
  const alive = liveResources();
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, folder);
  await module.exports.runCli(args, { root: folder, version });
  while (liveResources() > alive) await timers.soon();
  const { exitCode = 0 } = process;
  restore();
  return exitCode;
}

/** Without it, standard input is empty. */
function giveInput(text) {
  const value = Readable.from(text === '' ? [] : [Buffer.from(text)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value });
}

/** How many resources keep the event loop alive. */
function liveResources() {
  return process.getActiveResourcesInfo().length;
}

/** Keeps what a run changes in this process. @returns a function that restores it */
function keepProcess() {
  const emitters = [process, process.stdout, process.stderr];
  const listeners = emitters.map((emitter) =>
    emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]),
  );
  const symbols = new Set(Object.getOwnPropertySymbols(globalThis));
  const handles = new Set(process._getActiveHandles());
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  const stopTimers = timers.keep();
  return () => {
    stopTimers();
    Object.defineProperty(process, 'stdin', stdin);
    for (const handle of process._getActiveHandles()) if (!handles.has(handle)) handle.destroy?.();
    emitters.forEach((emitter, at) => {
      emitter.removeAllListeners();
      for (const [name, kept] of listeners[at]) for (const listener of kept) emitter.on(name, listener);
    });
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (!symbols.has(symbol)) delete globalThis[symbol];
    }
    for (const path of Object.keys(require.cache)) {
      if (path.startsWith(folder + sep) && path !== KEPT) delete require.cache[path];
    }
    process.exitCode = undefined;
    process.chdir(sep);
  };
}

/** The timers that a run starts: those that keep no process alive would otherwise go off in a later run. */
const timers = (() => {
  const { setTimeout, setInterval, clearTimeout } = globalThis;
  return {
    soon: () => new Promise((resolve) => setTimeout(resolve, 1)),
    keep() {
      const started = [];
      for (const [name, start] of Object.entries({ setTimeout, setInterval })) {
        globalThis[name] = Object.assign((...given) => {
          const timer = start(...given);
          started.push(timer);
          return timer;
        }, start);
      }
      return () => {
        for (const timer of started) clearTimeout(timer);
        Object.assign(globalThis, { setTimeout, setInterval });
      };
    },
  };
})();
