import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Island } from './types.ts';

const size = z.union([z.string(), z.number()]).optional();
const settingsSchema = z.strictObject({
  ssr: z.boolean().optional(),
  width: size,
  height: size,
  slots: z.array(z.string()).optional(),
});

export const PROPS_REMEDY = 'Export a zod schema of the props by default, and optionally `island` with its settings.';

/** An island's schema and settings, or the problem with its props file. Addons from npm ship JavaScript. */
export async function readProps(
  folder: string,
  base: string,
): Promise<Pick<Island, 'schema' | 'settings'> | { file: string; message: string }> {
  const file = [`${base}.ts`, `${base}.js`].find((name) => existsSync(path.join(folder, name)));
  if (file === undefined)
    return { file: `${base}.ts`, message: 'this file is missing: an island needs a props schema.' };
  let module: { default?: unknown; island?: unknown };
  try {
    module = (await import(pathToFileURL(path.join(folder, file)).href)) as typeof module;
  } catch (error) {
    return { file, message: `this cannot be loaded: ${Error.isError(error) ? error.message : error}` };
  }
  const settings = settingsSchema.safeParse(module.island ?? {});
  if (!(module.default instanceof z.ZodType)) return { file, message: 'this exports no zod schema by default.' };
  if (!settings.success) return { file, message: `\`island\` does not fit: ${z.prettifyError(settings.error)}` };
  return { schema: module.default, settings: settings.data };
}
