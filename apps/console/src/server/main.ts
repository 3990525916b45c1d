import { runConsoleServer } from './run-console-server';

void runConsoleServer(process.argv.slice(2));
