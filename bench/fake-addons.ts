import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FakeAddons {
  readonly count: number;
  /** pages per addon, at `/<name>/<number>`, each returning one word */
  readonly routes: number;
  /** adds a model and a template to each, like a real addon */
  readonly isComplete?: boolean;
}

/** Writes addons named `fake_0`, `fake_1` … to a folder and returns their names. */
export function writeFakeAddons(folder: string, { count, routes, isComplete = false }: FakeAddons): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `fake_${index}`;
    mkdirSync(join(folder, name, 'templates'), { recursive: true });
    writeFileSync(join(folder, name, 'addon.ts'), source(name, index, routes, isComplete));
    if (isComplete) writeFileSync(join(folder, name, 'templates', `${name}.page.hbs`), page);
    return name;
  });
}

function source(name: string, index: number, routes: number, isComplete: boolean): string {
  const model = `class Thing extends model('${name}.thing', { name: f.char({ required: true }), count: f.integer(), note: f.text() }) {}
const shown = route.page('/${name}/page', { name: '${name}.page' }, async ({ ctx, render }) =>
  render('${name}.page', { things: await ctx.model(Thing).find([], { select: { name: true }, limit: 10 }) }));`;
  return `import { access, defineAddon, f, model, reply, route } from 'pergola';
${isComplete ? model : ''}
const words = Array.from({ length: ${routes} }, (_, number) =>
  route.http(\`/${name}/\${number}\`, { name: \`${name}.word\${number}\`, method: 'GET' }, async () => reply.text('word')));
export default defineAddon({
  name: '${name}', title: 'Fake ${index}', summary: 'For benchmarks', version: '1.0.0',
  ${isComplete ? "models: [Thing], access: [access(Thing, { '*': 'r' })]," : ''}
  routes: [...words${isComplete ? ', shown' : ''}],
});
`;
}

const page = `<!doctype html>
<html lang="{{lang}}">
<head><meta charset="utf-8"><title>Things</title></head>
<body><main data-slot="things"><h1>Things</h1>{{#each things}}<p>{{field this "name"}}</p>{{/each}}</main></body>
</html>
`;
