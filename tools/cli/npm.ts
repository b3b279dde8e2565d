import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PergolaError } from '@pergola/core';
import { z } from 'zod';

/** Package of an addon, or of Pergola itself. */
export interface NpmPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string | null;
  readonly hasDependencies: boolean;
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});

/** Returns the package that an addon belongs to: in its folder, or above `dist/<addon>`. */
export function packageOf(folder: string): NpmPackage | null {
  for (const place of [folder, dirname(folder), dirname(dirname(folder))]) {
    const file = join(place, 'package.json');
    if (!existsSync(file)) continue;
    const { data } = manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (!data) continue;
    const { name, version = null, dependencies = {} } = data;
    return { folder: place, name, version, hasDependencies: Object.keys(dependencies).length > 0 };
  }
  return null;
}

/** Maximum duration of a call of npm, in ms. */
const PATIENCE_MS = 120_000;

/**
 * Runs npm in a folder and returns its output, whatever its exit code: `outdated` and `audit` end with 1 if they find something.
 *
 * @throws PergolaError if npm isn't installed
 */
export function runNpm(
  words: readonly string[],
  folder: string,
): Promise<{ readonly out: string; readonly err: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ out: string; err: string }>();
  const options = {
    cwd: folder,
    maxBuffer: 2 ** 28,
    timeout: PATIENCE_MS,
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_update_notifier: 'false' },
  };
  execFile('npm', [...words], options, (error, out, err) => {
    if (error?.code === 'ENOENT') reject(new PergolaError('npm is not installed. Install Node.js with npm.'));
    else resolve({ out, err });
  });
  return promise;
}

/** Runs npm and parses its JSON output; null if it printed something else, such as an error. */
export async function npmJson<T>(words: readonly string[], folder: string, schema: z.ZodType<T>): Promise<T | null> {
  const { out } = await runNpm([...words, '--json'], folder);
  try {
    return schema.safeParse(out.trim() === '' ? {} : JSON.parse(out)).data ?? null;
  } catch {
    return null;
  }
}
