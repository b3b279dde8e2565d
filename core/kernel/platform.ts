import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { satisfies } from 'semver';
import { z } from 'zod';
import { type Problem, repository } from '../base/index.ts';

const packageSchema = z.object({
  version: z.string().optional(),
  peerDependencies: z.object({ pergola: z.string().optional() }).optional(),
});

/** Version of the running Pergola. */
export async function platformVersion(): Promise<string> {
  return (await readPackage(repository))?.version ?? '0.0.0';
}

/** Whether a range of versions, such as `^0.1.0`, includes the running Pergola. */
export async function fitsPlatform(range: string): Promise<boolean> {
  return satisfies(await platformVersion(), range, { includePrerelease: true });
}

/**
 * Checks the Pergola version required by an addon's package: `pergola` in the peer dependencies of the `package.json` in its folder or
 * above `dist/<addon>`, a range such as `^0.1.0`. Returns null if it matches or no range is given.
 */
export async function platformProblem(addon: string, folder: string): Promise<Problem | null> {
  const places = [folder, dirname(folder), dirname(dirname(folder))];
  for (const place of places) {
    const range = (await readPackage(place))?.peerDependencies?.pergola;
    if (range === undefined) continue;
    if (await fitsPlatform(range)) return null;
    const version = await platformVersion();
    return {
      addon,
      file: 'package.json',
      message: `is made for Pergola ${range}, and this is Pergola ${version}.`,
      remedy:
        'Install a version of the addon made for this one, or extend the range of its peer dependency `pergola` once its tests pass here.',
    };
  }
  return null;
}

async function readPackage(folder: string): Promise<z.infer<typeof packageSchema> | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return packageSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // npm reports invalid files.
    return null;
  }
}
