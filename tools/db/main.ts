import 'reflect-metadata';
import { runCommandLine } from './command-line';

void runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  report: (line) => void process.stderr.write(`${line}\n`),
}).then((code) => (process.exitCode = code));
