// A process of its own, which keeps a PostgreSQL server for as long as the process that started it holds its standard input open. However that
// one ends (done, Ctrl-C, killed), the server ends and its files go. Prints one line: the server as JSON, or {"error": …}.
// Arguments: the folder for the server's files, and the url of a server to use instead, if any.
import { openTestServer } from './server.ts';

const [folder = '', given] = process.argv.slice(2);
// Only the standard input says when to end: a Ctrl-C in the terminal is meant for the tests, and they may need the server to end well.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const over = new Promise<void>((resolve) => {
  process.stdin.once('end', resolve).once('close', resolve).once('error', resolve).resume();
});

try {
  const server = await openTestServer(folder, given);
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
