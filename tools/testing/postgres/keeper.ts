// A separate process that keeps a PostgreSQL server running while its parent holds its standard input open. However the parent ends
// (normally, Ctrl-C, killed), the server stops and its files are removed. Prints one line: the server as JSON, or {"error": …}. Arguments:
// the folder for the server's files, and optionally the URL of a server to use instead.
import { openTestServer } from './server.ts';

const [folder = '', existingUrl] = process.argv.slice(2);
// Only the end of standard input stops this process: Ctrl-C in the terminal is meant for the tests, which may still need the server to
// clean up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const over = new Promise<void>((resolve) => {
  process.stdin.once('end', resolve).once('close', resolve).once('error', resolve).resume();
});

try {
  const server = await openTestServer(folder, existingUrl);
  const { url, template, prefix } = server;
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.stringify({ url, template, prefix })}\n`);
  await over;
  await server.stop();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
  process.stdin.destroy();
}
