import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { addonRoots, repository } from '../../../core/base/addon-folders.ts';
import { platformVersion } from '../../../core/kernel/platform.ts';
import { formatCode } from '../../make/format-code.ts';
import { typesFile, writeTemplateTypes } from '../../templates/needs.ts';
import { TemplateSources } from '../../templates/sources.ts';

export const command: Command = {
  summary: 'Writes a new addon with a page and a test',
  usage: '<name> [--outside <folder>]',
  options: { outside: { type: 'string' } },
  least: 1,
  async run({ words: [name = ''], options, io }) {
    if (!/^[a-z][a-z0-9_]{1,40}$/.test(name))
      throw new UsageError('A name has small letters, digits and "_", and begins with a letter.');
    const parent =
      typeof options.outside === 'string' ? path.resolve(options.outside) : path.join(repository, 'addons');
    const folder = path.join(parent, name);
    if (existsSync(folder)) throw new UsageError(`${folder} is there already.`);
    const files = {
      ...addonFiles(name),
      ...(options.outside === undefined ? {} : outsideFiles(name, folder, await platformVersion())),
    };
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content, { flag: 'wx' });
    }
    formatCode(folder, Object.keys(files));
    // So that an editor knows the new template.
    writeTemplateTypes(await TemplateSources.read([...addonRoots(process.env.ADDONS_PATH), parent]));
    io.out(`${path.relative(process.cwd(), folder)} is there. Next:\n`);
    if (options.outside === undefined)
      io.out(`  npx pergola enable ${name}\n  npm test -- ${path.relative(repository, folder)}`);
    else
      io.out(
        `  export ADDONS_PATH=${folder}\n  npx pergola enable ${name}\n  cd ${folder} && npm test && npm run check`,
      );
    return 0;
  },
};

function addonFiles(name: string): Record<string, string> {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
  return {
    'addon.ts': `import { defineAddon, route } from '#core';

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
    [`templates/${name}.page.hbs`]: `{{#> web.frontend_layout title="${title}"}}
  <section class="container py-5" data-slot="${name}">
    <h1>Hello {{who}}</h1>
  </section>
{{/web.frontend_layout}}
`,
    [`tests/${name}.test.ts`]: `import { createTestApp, eachDatabase } from '#core/testing';

eachDatabase('${name}', (database) => {
  it('says hello', async () => {
    await using app = await createTestApp({ addons: ['${name}'], database });
    expect((await app.get('/${name}')).text).toContain('Hello world');
  });
});
`,
  };
}

/** Packages that come with Pergola and bring their own types; those of the others are in `@types`. */
const packages = [
  'zod',
  'knex',
  '@jest/globals',
  '@tanstack/*',
  '@testing-library/*',
  'bootstrap-icons/*',
  'content-disposition',
  'react-hook-form',
  'sharp',
];

/** So that an editor knows what \`#core\` is, far from it, and which packages come with it; every path as seen from the addon's folder. */
function outsideFiles(name: string, folder: string, platform: string): Record<string, string> {
  const home = path.relative(folder, repository).replaceAll(path.sep, '/');
  const faces = ['orm', 'http', 'pages', 'mail', 'kernel', 'browser', 'islands'];
  const paths = {
    '#core': [`${home}/core/index.ts`],
    ...Object.fromEntries(faces.map((face) => [`#core/${face}`, [`${home}/core/${face}.ts`]])),
    '#core/testing': [`${home}/tools/testing/index.ts`],
    '#core/testing/in-french': [`${home}/tools/testing/in-french.ts`],
    ...Object.fromEntries(
      ['browser', 'kit', 'kit-combobox'].map((face) => [`#addons/*/${face}`, [`${home}/addons/*/${face}.ts`]]),
    ),
    '#addons/*': [`${home}/addons/*/index.ts`],
    ...Object.fromEntries(packages.map((name) => [name, [`${home}/node_modules/${name}`]])),
    '*': [`${home}/node_modules/@types/*`],
  };
  const config = {
    extends: `${home}/tsconfig.json`,
    // With "bundler", packages are found in the folders that `paths` names.
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      paths,
      typeRoots: [`${home}/node_modules/@types`],
    },
    // The core's parts and the addons tell the compiler of their models, points and values; `typesFile` tells it of templates.
    include: [`${home}/server.ts`, `${home}/core`, `${home}/addons/*/addon.ts`, typesFile, '.'],
    exclude: ['node_modules', 'dist', `${home}/core/**/tests`, `${home}/addons/**/tests`],
  };
  const manifest = {
    name: `pergola-${name.replaceAll('_', '-')}`,
    version: '1.0.0',
    private: true,
    type: 'module',
    files: ['dist'],
    engines: { pergola: `^${platform}` },
    scripts: {
      check: `node ${home}/bin/pergola.js check .`,
      format: `node ${home}/bin/pergola.js check . --format`,
      make: `node ${home}/bin/pergola.js make`,
      prepack: `node ${home}/bin/pergola.js pack .`,
      test: `node ${home}/bin/pergola.js test`,
    },
  };
  // As biome itself would write it, which looks at no other JSON here.
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
