import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BrokenAddons, describeProblem } from '@pergola/core';
import { createTestApp, eachDatabase } from 'pergola/testing';

/** Creates an addon folder with this demo data. */
function addonWith(demo: string): string {
  const root = mkdtempSync(path.join(tmpdir(), 'demo-'));
  const files = {
    'addon.ts': `import { defineAddon, f, model, route } from 'pergola';
export class Thing extends model('shown.thing', { name: f.char({ required: true, size: 20 }), parent_id: f.many2one('shown.thing', { empty: 'none' }) }) {}
const fails = route.rpc('/shown/fails', { auth: 'public' }, async () => { throw new Error('The shelf broke.'); });
export default defineAddon({ name: 'shown', title: 'Shown', summary: 'Shows itself', version: '1.0.0', models: [Thing], routes: [fails] });
`,
    'demo/01-things.ts': `import { data, ref } from 'pergola';
import { Thing } from '../addon.ts';
export default data(Thing, ${demo});
`,
  };
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(root, 'shown', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return root;
}

eachDatabase('An application for a test', (database) => {
  const open = (demo: string, withDemo = true) =>
    createTestApp({ addons: ['shown'], roots: [addonWith(demo)], database, demo: withDemo });

  it.each([
    [
      'a reference that leads nowhere',
      "{ a: { name: 'A', parent_id: ref('b') } }",
      ':3: “shown.a”: parent_id: it refers to “shown.b”',
    ],
    [
      'one of a function',
      "async () => ({ a: { name: 'A', parent_id: ref('b') } })",
      ':3: “shown.a”: parent_id: it refers to',
    ],
    ['a field that the model lacks', "{ a: { nmae: 'A' } }", ':3: “shown.a”: “shown.thing” has no field “nmae”.'],
    ['a value that is refused', "{ a: { name: 'A'.repeat(30) } }", ':3: “shown.a”: name: '],
    [
      'a function that fails',
      "async () => {\n  throw new Error('no pictures');\n}",
      ':4: The records can’t be made: no pictures',
    ],
  ])('is refused if the demo data has %s', async (_, demo, message) => {
    const refused = await open(demo).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BrokenAddons);
    expect((refused as BrokenAddons).problems.map(describeProblem).join('\n')).toContain(
      `shown demo/01-things.ts${message}`,
    );
  });

  it('is there with demo data that fits, and without what does not', async () => {
    await using shown = await open("{ a: { name: 'A', parent_id: ref('b') }, b: { name: 'B' } }");
    expect(await shown.read((ctx) => ctx.modelNamed('shown.thing').count([]))).toBe(2);
    await using bare = await open("{ a: { nmae: 'A' } }", false);
    expect(await bare.read((ctx) => ctx.modelNamed('shown.thing').count([]))).toBe(0);
  });

  it('tells of a call that failed what its log says', async () => {
    await using shown = await open('{}', false);
    const failed = await shown.rpc('/shown/fails').catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { message: expect.stringContaining('The shelf broke.') } });
  });
});
