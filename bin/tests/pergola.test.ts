import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { repository } from '@pergola/core';

// A minimal Pergola whose command line prints what it receives.
const site = mkdtempSync(join(tmpdir(), 'start-'));
const script = join(site, 'bin/pergola.js');

beforeAll(() => {
  for (const folder of [
    'bin/pergola.js',
    'bin/node-settings.js',
    'core/base',
    'tools/cli/selected-addons.ts',
    'tools/testing/addon-closure.ts',
    'package.json',
  ])
    cpSync(join(repository, folder), join(site, folder), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(site, 'node_modules'));
  mkdirSync(join(site, 'tools/cli'), { recursive: true });
  writeFileSync(
    join(site, 'tools/cli/main.ts'),
    `export async function main(args: string[]): Promise<number> {
       process.on('SIGTERM', () => process.exit(7));
       const { UV_THREADPOOL_SIZE: threads, FROM_FILE: fromFile } = process.env;
       console.log(JSON.stringify({ args, major: process.versions.node.split('.')[0], threads, fromFile, pid: process.pid }));
       if (args[0] !== 'serve') return Number(args[0] ?? 0);
       setInterval(() => {}, 1000);
       return 0;
     }`,
  );
});

interface Seen {
  args: string[];
  major: string;
  threads: string;
  fromFile?: string;
  pid: number;
}

function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { UV_THREADPOOL_SIZE: _threads, NODE_OPTIONS: _options, ...env } = process.env;
  return { ...env, ...more };
}

function run(node: string, args: string[], env: Record<string, string> = {}): { seen: Seen; status: number | null } {
  const { stdout, status, stderr } = spawnSync(node, [script, ...args], {
    cwd: site,
    encoding: 'utf8',
    env: environment(env),
  });
  if (stdout === '') throw new Error(stderr);
  return { seen: JSON.parse(stdout), status };
}

/** Path of an older Node on this machine, if there is one. */
function olderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => {
      const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
      return stdout && Number(stdout.slice(1).split('.')[0]) < 24;
    });
}

async function firstLine(child: ChildProcess): Promise<Seen> {
  for await (const chunk of child.stdout ?? []) return JSON.parse(String(chunk));
  throw new Error('printed nothing');
}

const nodes = [process.execPath, olderNode()].filter((node) => node !== undefined);

describe.each(nodes)('The start script run by %s', (node) => {
  test('runs the command line on Node 24 with 16 threads, its arguments and exit code untouched', () => {
    const { seen, status } = run(node, ['3', 'a b', '--flag=ü']);
    expect(seen).toMatchObject({ args: ['3', 'a b', '--flag=ü'], major: '24', threads: '16' });
    expect(status).toBe(3);
  });

  test('keeps the number of threads that was asked for', () => {
    expect(run(node, [], { UV_THREADPOOL_SIZE: '5' }).seen.threads).toBe('5');
  });

  test('reads .env, which does not win over the environment', () => {
    writeFileSync(join(site, '.env'), 'FROM_FILE="a file" # comment\nUV_THREADPOOL_SIZE=9\n');
    try {
      expect(run(node, []).seen).toMatchObject({ fromFile: 'a file', threads: '9' });
      expect(run(node, [], { FROM_FILE: 'the shell' }).seen.fromFile).toBe('the shell');
    } finally {
      rmSync(join(site, '.env'));
    }
  });

  test('lets a signal reach the server, and answers with its exit code', async () => {
    const child = spawn(node, [script, 'serve'], {
      cwd: site,
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await firstLine(child);
    child.kill('SIGTERM');
    expect(await ended).toBe(7);
  });
});

test('On Node 24 there is no second process', async () => {
  const child = spawn(process.execPath, [script, 'serve'], {
    cwd: site,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  expect((await firstLine(child)).pid).toBe(child.pid);
  child.kill('SIGKILL');
  await ended;
});

test('Where Node 24 is missing, the text says how to get it', () => {
  const older = olderNode();
  if (older === undefined) return;
  rmSync(join(site, 'node_modules'));
  try {
    expect(() => execFileSync(older, [script], { cwd: site, env: environment(), stdio: 'pipe' })).toThrow(
      /Pergola needs Node 24.*npm install/,
    );
  } finally {
    symlinkSync(join(repository, 'node_modules'), join(site, 'node_modules'));
  }
});
