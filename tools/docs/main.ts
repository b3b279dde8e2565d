import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '@pergola/core';
import express from 'express';

/**
 * `npm run docs`: builds the guides, the cookbook and the reference into `var/docs` and serves them, on the port given by `--port`. With a
 * folder argument, builds there and exits; the exit code is 1 if there are problems. `--tables` only writes the pages of `docs/tables`.
 */
const { folder, port, tables } = readWords(process.argv.slice(2));
if (tables) {
  const [{ generatedPages }, { writeTables }] = await Promise.all([import('./pages.ts'), import('./tables.ts')]);
  writeTables(await generatedPages());
  process.exit();
}
const out = path.resolve(folder ?? path.join(repository, 'var/docs'));

// TypeDoc needs TypeScript's JavaScript API, which version 7 doesn't have.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-for-typedoc' : name, context),
});
process.stderr.write('Building the reference and the guides, about half a minute …\n');
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
    process.stdout.write(`http://localhost:${port}  (without a server: ${path.join(out, 'index.html')})\n`);
  });
  // If the default port is in use, any other will do; a port given explicitly is required.
  if (port === undefined) server.once('error', () => server.listen(0, '127.0.0.1'));
  else
    server.once('error', (error) => {
      process.stderr.write(`Can't use port ${port}: ${error.message}\n`);
      process.exitCode = 1;
    });
  server.listen(port ?? 8070, '127.0.0.1');
}

interface Words {
  readonly folder: string | undefined;
  readonly port: number | undefined;
  readonly tables: boolean;
}

function readWords(args: string[]): Words {
  try {
    const options = { port: { type: 'string' }, tables: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
      throw new Error(`"${values.port}" is not a valid port.`);
    if (positionals.length > 1) throw new Error('Name one folder.');
    return { folder: positionals[0], port, tables: values.tables === true };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.stderr.write('Usage: npm run docs [<folder>] [-- --port <port> | --tables]\n');
    return process.exit(2);
  }
}
