import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from '../../../core/app/commands.ts';
import { UsageError } from '../../../core/app/commands.ts';
import { addonRoots, repository } from '../../../core/base/addon-folders.ts';
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
    const files = { ...addonFiles(name), ...(options.outside === undefined ? {} : outsideFiles()) };
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content, { flag: 'wx' });
    }
    // So that an editor knows the new template.
    writeTemplateTypes(await TemplateSources.read([...addonRoots(process.env.ADDONS_PATH), parent]));
    io.out(`${path.relative(process.cwd(), folder)} is there. Next:\n`);
    if (options.outside !== undefined) io.out(`  export ADDONS_PATH=${parent}`);
    io.out(`  npx pergola enable ${name}\n  npm test -- ${path.relative(repository, folder)}`);
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

/** So that an editor knows what \`#core\` is, far from it. */
function outsideFiles(): Record<string, string> {
  const paths = {
    '#core': [path.join(repository, 'core/index.ts')],
    ...Object.fromEntries(
      ['orm', 'http', 'pages', 'mail', 'kernel', 'browser', 'islands'].map((face) => [
        `#core/${face}`,
        [path.join(repository, `core/${face}.ts`)],
      ]),
    ),
    '#core/testing': [path.join(repository, 'tools/testing/index.ts')],
    '#addons/*/browser': [path.join(repository, 'addons/*/browser.ts')],
    ...Object.fromEntries(
      ['kit', 'kit-combobox'].map((face) => [`#addons/*/${face}`, [path.join(repository, `addons/*/${face}.ts`)]]),
    ),
    '#addons/*': [path.join(repository, 'addons/*/index.ts')],
  };
  const config = {
    extends: path.join(repository, 'tsconfig.json'),
    compilerOptions: { paths, typeRoots: [path.join(repository, 'node_modules/@types')] },
    include: ['.', typesFile],
  };
  return {
    'tsconfig.json': `${JSON.stringify(config, null, 2)}\n`,
    'package.json': '{ "type": "module", "private": true }\n',
  };
}
