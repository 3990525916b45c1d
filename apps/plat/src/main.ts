#!/usr/bin/env node
import { join } from 'node:path';
import { compileBundle } from './start/compiled-bundle';

/** Set by the build. Spec: Client, Versioning, rule 1. */
declare const PLAT_VERSION: string;

type Cli = typeof import('./start/cli');

const argv = process.argv.slice(2);
if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.write(`plat ${PLAT_VERSION}\n`);
} else {
  void compileBundle<Cli>(join(__dirname, 'cli.js'))
    .run()
    .runCli(argv, { root: __dirname, version: PLAT_VERSION });
}
