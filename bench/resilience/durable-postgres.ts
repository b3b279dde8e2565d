import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../tools/testing/free-port.ts';
import { findBinaries, reachableBinaries, unprivilegedAccount } from '../../tools/testing/postgres/binaries.ts';

/** A PostgreSQL server that syncs to disk, unlike the one for tests, and can be stopped as in a crash. */
export interface DurablePostgres extends AsyncDisposable {
  /** URL of its database `postgres` */
  readonly url: string;
  /** Kills the server, waits this long, and starts it again. */
  restart(downMs: number): Promise<void>;
}

export async function startDurablePostgres(): Promise<DurablePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pergola-durable-'));
  const account = unprivilegedAccount();
  const binaries = reachableBinaries(await findBinaries(), folder, account);
  const data = join(folder, 'data');
  chmodSync(folder, 0o711);
  mkdirSync(data, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
  const run = (program: string, args: readonly string[]): ChildProcess =>
    spawn(join(binaries, 'bin', program), args, {
      ...account,
      cwd: tmpdir(),
      env: { ...process.env, LD_LIBRARY_PATH: join(binaries, 'lib'), LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  await once(run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']), 'close');
  const port = String(await freePort());
  const start = async (): Promise<ChildProcess> => {
    const server = run('postgres', [
      '-D',
      data,
      '-p',
      port,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
    ]);
    for await (const text of server.stderr ?? []) if (String(text).includes('ready to accept connections')) break;
    return server;
  };
  let server = await start();
  const crash = async (): Promise<void> => {
    server.kill('SIGQUIT');
    await once(server, 'exit');
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart(downMs) {
      await crash();
      await sleep(downMs);
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await crash();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
