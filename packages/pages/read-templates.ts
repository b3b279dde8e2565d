import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addon } from '@pergola/core';
import type { AddonTemplates } from './build.ts';
import { withoutIndentation } from './source/whitespace.ts';

const patchEnd = '.patch.hbs';
const templateEnd = '.hbs';

/**
 * Reads an addon's templates (`templates/forum.index.hbs`) and its patches of other addons' templates
 * (`templates/website.layout.patch.hbs`).
 */
export async function readTemplates({
  name,
  folder,
  files,
}: Pick<Addon, 'name' | 'folder' | 'files'>): Promise<AddonTemplates> {
  const names = (files.templates ?? []).filter((file) => file.endsWith(templateEnd));
  const sources = await Promise.all(names.map((file) => readFile(join(folder, 'templates', file), 'utf8')));
  const read = names.map((file, index) => ({
    name: file,
    file: `templates/${file}`,
    source: withoutIndentation(sources[index] ?? ''),
  }));
  return {
    name,
    templates: read
      .filter((file) => !file.name.endsWith(patchEnd))
      .map(({ name: base, file, source }) => ({ id: base.slice(0, -templateEnd.length), file, source })),
    patches: read
      .filter((file) => file.name.endsWith(patchEnd))
      .map(({ name: base, file, source }) => ({ target: base.slice(0, -patchEnd.length), file, source })),
  };
}
