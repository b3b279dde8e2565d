#!/usr/bin/env node
// Runs with Node 20 or later: makes sure that Node 24 with enough threads runs tools/cli/main.ts, in this process if possible.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heap, memory, threads } from './node-settings.js';

const binFolder = dirname(fileURLToPath(import.meta.url));

if (existsSync('.env')) (await import('dotenv')).config({ quiet: true });

if (isRightNode() && process.env.UV_THREADPOOL_SIZE) await runHere();
else runAgain(isRightNode() ? process.execPath : packagedNode());

function isRightNode() {
  return Number(process.versions.node.split('.')[0]) >= 24;
}

async function runHere() {
  nodeModule.enableCompileCache();
  const [{ addonRoots }, { registerResolve }, { withCurrentFolder }] = await Promise.all([
    import('../core/base/addon-folders.ts'),
    import('../core/base/module-resolution.ts'),
    import('../tools/cli/selected-addons.ts'),
  ]);
  const { addonsPath, note } = withCurrentFolder(process.env.ADDONS_PATH);
  if (note !== null) process.stderr.write(`${note}\n`);
  process.env.ADDONS_PATH = addonsPath;
  registerResolve(addonRoots(addonsPath));
  // A killed server never writes its compiled code at exit.
  setTimeout(() => nodeModule.flushCompileCache(), 5000).unref();
  const { main } = await import('../tools/cli/main.ts');
  const code = await main(process.argv.slice(2));
  if (code) process.exitCode = code;
}

/** @param {string} node executable that runs this file */
function runAgain(node) {
  const env = { ...memory, ...process.env, UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE || threads };
  const args = [...heap, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // Ctrl-C reaches the child too, from the terminal; a second one would mean "now, without draining".
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  child.on('error', (error) => fail(`Could not start ${node}: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function packagedNode() {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  for (let folder = dirname(binFolder); ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules/node', program);
    if (existsSync(node)) return node;
    if (folder === dirname(folder)) break;
  }
  return fail(
    `Pergola needs Node 24. This is Node ${process.versions.node}, and the package "node", which provides the right version, ` +
      `is not installed: run "npm install" in ${dirname(binFolder)} (with install scripts allowed for it), or start with Node 24.`,
  );
}

/** @param {string} text */
function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
