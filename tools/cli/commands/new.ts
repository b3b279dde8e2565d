import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from '@pergola/core';
import { addonFolderAt, addonRoots, isInside, platformVersion, repository, UsageError } from '@pergola/core';
import { formatCode } from '../../make/format-code.ts';
import { writeTemplateTypes } from '../../templates/needs.ts';
import { TemplateSources } from '../../templates/sources.ts';
import { selectAddons } from '../selected-addons.ts';

export const command: Command = {
  summary: 'Creates an addon with a page and a test',
  usage: '<name> [--outside <folder>]',
  options: { outside: { type: 'string' } },
  least: 1,
  async run({ words: [name = ''], options, io }) {
    if (!/^[a-z][a-z0-9_]{1,40}$/.test(name))
      throw new UsageError('An addon name has lower-case letters, digits and "_", and starts with a letter.');
    const parent = parentFolder(options.outside);
    const isOutside = parent !== path.join(repository, 'addons');
    if (isOutside && existsSync(path.join(repository, 'addons', name)))
      throw new UsageError(`“${name}” is the name of an addon that comes with Pergola. Choose another.`);
    const folder = path.join(parent, name);
    if (existsSync(folder)) throw new UsageError(`${folder} already exists.`);
    const files = {
      ...addonFiles(name),
      ...(isOutside && outsideFiles(name, folder, await platformVersion())),
    };
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content, { flag: 'wx' });
    }
    formatCode(folder, Object.keys(files));
    // Makes the new template known to editors.
    writeTemplateTypes(await TemplateSources.read(addonRoots(selectAddons([folder]).addonsPath)));
    io.out(`Created ${path.relative(process.cwd(), folder)}. Next:\n`);
    if (!isOutside) io.out(`  npx pergola enable ${name}\n  npm test -- ${path.relative(repository, folder)}`);
    else
      io.out(
        `  export ADDONS_PATH=${folder}\n  npx pergola enable ${name}\n  cd ${folder} && npm test && npm run check`,
      );
    return 0;
  },
};

/** Parent folder of a new addon: the given folder, or the one that holds the other addons of the current folder. */
function parentFolder(outside: unknown): string {
  if (typeof outside === 'string') return path.resolve(outside);
  if (isInside(repository, process.cwd())) return path.join(repository, 'addons');
  const addon = addonFolderAt(process.cwd());
  return addon === null ? process.cwd() : path.dirname(addon);
}

function addonFiles(name: string): Record<string, string> {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
  return {
    'addon.ts': `import { defineAddon, route } from 'pergola';

const page = route.page('/${name}', { name: '${name}.page' }, ({ render }) => render('${name}.page', { who: 'world' }));

export default defineAddon({
  name: '${name}',
  title: '${title}',
  summary: 'Says hello',
  version: '1.0.0',
  depends: ['website'],
  routes: [page],
});
`,
    'texts.ts': `import { texts } from 'pergola';

export const { t, plural } = texts('${name}');
`,
    [`templates/${name}.page.hbs`]: `{{#> web.frontend_layout title="${title}"}}
  <section class="container py-5" data-slot="${name}">
    <h1>Hello {{who}}</h1>
  </section>
{{/web.frontend_layout}}
`,
    [`tests/${name}.test.ts`]: `import { createTestApp, eachDatabase } from 'pergola/testing';

eachDatabase('${name}', (database) => {
  it('says hello', async () => {
    await using app = await createTestApp({ addons: ['${name}'], database });
    expect((await app.get('/${name}')).text).toContain('Hello world');
  });
});
`,
  };
}

/** Tool settings for an addon outside the repository, with paths relative to the addon's folder. */
function outsideFiles(name: string, folder: string, platform: string): Record<string, string> {
  const home = path.relative(folder, repository).replaceAll(path.sep, '/');
  const config = { extends: `${home}/tsconfig.addon.json` };
  const manifest = {
    name: `pergola-${name}`,
    version: '1.0.0',
    private: true,
    type: 'module',
    files: ['dist'],
    peerDependencies: { pergola: `^${platform}` },
    // Pergola isn't published to a registry.
    peerDependenciesMeta: { pergola: { optional: true } },
    scripts: {
      check: `node ${home}/bin/pergola.js check .`,
      format: `node ${home}/bin/pergola.js check . --format`,
      make: `node ${home}/bin/pergola.js make`,
      prepack: `node ${home}/bin/pergola.js pack .`,
      test: `node ${home}/bin/pergola.js test`,
    },
  };
  // Formatted as biome would, which doesn't check other JSON files here.
  const biome = `{
  "root": true,
  "extends": ["${home}/biome.json"],
  "vcs": { "enabled": false },
  "files": { "includes": ["!**/package.json", "!**/tsconfig.json", "!.build", "!dist", "!i18n", "!static"] }
}
`;
  return {
    'tsconfig.json': `${JSON.stringify(config, null, 2)}\n`,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'biome.json': biome,
  };
}
