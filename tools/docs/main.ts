import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import path from 'node:path';
import express from 'express';
import { repository } from '../../core/base/addon-folders.ts';

/**
 * `npm run docs`: builds the guides, the cookbook and the reference into `var/docs` and serves them. With a folder, builds there and ends; the exit code
 * is 1 when something in them is wrong.
 */
const [folder] = process.argv.slice(2);
if (folder?.startsWith('-')) {
  process.stderr.write('Usage: npm run docs [<folder>]\n');
  process.exit(2);
}
const out = path.resolve(folder ?? path.join(repository, 'var/docs'));

// TypeDoc reads code with TypeScript's JavaScript interface, which version 7 does not have.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-for-typedoc' : name, context),
});
const { buildSite } = await import('./site.ts');
rmSync(out, { recursive: true, force: true });
const problems = await buildSite(out);
for (const problem of problems) process.stderr.write(`${problem}\n`);

if (folder !== undefined) process.exitCode = problems.length > 0 ? 1 : 0;
else {
  const server = createServer(express().use(express.static(out)));
  server.on('listening', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : address;
    process.stdout.write(`http://localhost:${port}  (the same without a server: ${path.join(out, 'index.html')})\n`);
  });
  // Somebody else has the usual place: any other does.
  server.once('error', () => server.listen(0, '127.0.0.1'));
  server.listen(8070, '127.0.0.1');
}
