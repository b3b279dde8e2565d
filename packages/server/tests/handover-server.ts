/**
 * A server for the handover tests: GET / returns the process id after a short delay, POST starts a handover and returns whether it
 * succeeded.
 */
import { createServer, type Server } from 'node:http';
import { createLog } from '@pergola/core';
import { createHandover } from '../handover.ts';

const log = createLog('error', {}, (line) => void process.stdout.write(line));
const [port, refuses] = [Number(process.argv[2]), process.argv[3] ?? ''];

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    void handover.begin(server).then(async (hasTakenOver) => {
      response.end(hasTakenOver ? 'taken over' : 'refused');
      if (!hasTakenOver) return;
      await stop(server);
      process.exit(await handover.ended());
    });
    return;
  }
  setTimeout(() => response.end(String(process.pid)), 5);
});
const handover = createHandover({
  log,
  self: process,
  onOrphaned: () => void stop(server).then(() => process.exit(0)),
});

if (!handover.takesOver) {
  process.once('SIGTERM', () => {
    // After a handover, the signal is passed on, and this process exits when its successor does.
    if (server.listening) void stop(server).then(() => process.exit(0));
  });
} else {
  process.once('SIGTERM', () => void stop(server).then(() => process.exit(0)));
}
if (handover.takesOver && refuses) {
  await handover.refuse('this one is made to refuse');
  process.exit(1);
}
await handover.listen(server, { host: '127.0.0.1', port });
console.log('listening');
