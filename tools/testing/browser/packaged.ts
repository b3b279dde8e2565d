import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '@pergola/core';
import type { Chromium } from './find.ts';

/**
 * The Chromium in the npm package `@sparticuz/chromium`, unpacked once (2 seconds, 200 MB) next to `node_modules`, or for this run if that
 * isn't writable. Null if the package isn't installed or has no program for this machine (it supports Linux on x64).
 */
export function packagedChromium(): Chromium | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const version = installedVersion();
  if (version === null) return null;
  for (const parent of [join(repository, 'node_modules/.cache/pergola'), tmpdir()]) {
    const folder = unpacked(parent, version);
    const chromium = folder === null || !isOurs(folder) ? null : startable(folder);
    if (chromium !== null) return chromium;
  }
  return null;
}

function startable(folder: string): Chromium | null {
  const executablePath = join(folder, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  // The package includes libraries that a bare machine lacks (nss, nspr, expat).
  const libraries = { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
  const env = [fonts, libraries].find((candidate) => starts(executablePath, candidate));
  return env === undefined ? null : { executablePath, env };
}

/** In a world-writable folder, the program could belong to another user. */
function isOurs(folder: string): boolean {
  return [0, process.getuid?.()].includes(statSync(folder).uid);
}

function installedVersion(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const { version }: { version: string } = JSON.parse(readFileSync(join(entry, '../../../package.json'), 'utf8'));
    return version;
  } catch {
    return null;
  }
}

/** The package unpacks into the folder for temporary files, and adds the libraries only if it detects a bare machine. */
function unpacked(parent: string, version: string): string | null {
  const folder = join(parent, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(parent, { recursive: true });
    const staging = mkdtempSync(join(parent, 'unpacking-'));
    try {
      const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: repository,
        env: { ...process.env, NODE_OPTIONS: '', TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      writeFileSync(join(staging, 'fonts.conf'), fontSettings(folder));
      renameSync(staging, folder);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } catch {
    // not writable, or another process was faster
  }
  return existsSync(folder) ? folder : null;
}

function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

function starts(program: string, env: Readonly<Record<string, string>>): boolean {
  try {
    execFileSync(program, ['--version'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
