import { createServer, type Socket } from 'node:net';
import { type Command, execute } from './execute';
import { runHosted, stopHosts } from './host-pool';
import type { HostedCommand } from './hosted-command';

/** Runs the commands of all jest workers, in a process of its own: `node command-server.js <socket>`. */
const [path] = process.argv.slice(2);

function serve(socket: Socket): void {
  const chunks: Buffer[] = [];
  // A worker that has been killed does not wait for its answer.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('end', () => {
    const command = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Command | HostedCommand;
    const run = 'host' in command ? runHosted(command) : execute(command);
    void run.then((ended) => socket.end(JSON.stringify(ended)));
  });
}

const server = createServer({ allowHalfOpen: true }, serve);
server.listen(path, () => process.send?.('listening'));
process.once('disconnect', () => {
  server.close();
  stopHosts();
});
