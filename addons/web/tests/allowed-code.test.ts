import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApp, someDatabase } from 'pergola/testing';

interface Planned {
  readonly parties: string;
  readonly addons: readonly object[];
  readonly problems: readonly string[];
  readonly reviews: readonly {
    readonly digest: string;
    readonly intro: string;
    readonly groups: readonly { readonly risk: string; readonly capabilities: readonly { readonly text: string }[] }[];
    readonly removed: readonly string[];
  }[];
}

/** An addon outside of the repository. */
function outsideAddon() {
  const root = mkdtempSync(join(tmpdir(), 'addons-'));
  mkdirSync(join(root, 'fx_elsewhere'));
  writeFileSync(
    join(root, 'fx_elsewhere/addon.ts'),
    `import { defineAddon } from 'pergola';
export default defineAddon({ name: 'fx_elsewhere', title: 'Elsewhere', summary: 'From elsewhere', version: '1.0.0', depends: ['web'] });
`,
  );
  const write = (source: string): void => writeFileSync(join(root, 'fx_elsewhere/more.ts'), source);
  write("export const load = () => fetch('https://one.example.org/');\n");
  return { root, write };
}

someDatabase('Code from elsewhere', (database) => {
  it('is allowed before it is loaded, again only if it can do more, and is left out if it was changed behind the site', async () => {
    const { root, write } = outsideAddon();
    const options = { addons: ['web', 'fx_elsewhere'], roots: [root], database };
    await using first = await createTestApp(options);
    const url = first.config.databaseUrl;
    const path = { name: 'fx_elsewhere', action: 'enable' };
    const disabler = await first.as('admin');
    const { parties } = await disabler.rpc<Planned>('/web/backend/apps/plan', { ...path, action: 'disable' });
    await disabler.form('/web/apps/fx_elsewhere/disable', { parties });
    // Its code was already loaded, and nothing about it changed.
    expect((await disabler.rpc<Planned>('/web/backend/apps/plan', path)).reviews).toEqual([]);

    write("import { exec } from 'node:child_process';\nexport const run = () => exec('id');\n");
    {
      await using second = await createTestApp({ ...options, url });
      const admin = await second.as('admin');
      const plan = await admin.rpc<Planned>('/web/backend/apps/plan', path);
      expect(plan).toMatchObject({
        problems: [],
        reviews: [
          {
            intro: 'The code of version 1.0.0 can do more than you allowed for version 1.0.0.',
            groups: [{ risk: 'high', capabilities: [{ text: 'Starts other programs' }] }],
            removed: ['Contacts one.example.org'],
          },
        ],
      });
      expect(second.application.discovery.loaded.map(({ name }) => name)).not.toContain('fx_elsewhere');
      // Nobody can skip that.
      const skipped = await admin.form('/web/apps/fx_elsewhere/enable', { parties: plan.parties });
      expect(skipped.text).toContain('Read first what the code of these apps can do');
      const digests = plan.reviews.map(({ digest }) => digest);
      // A page without scripts has the same.
      const { text } = await admin.get('/web/apps/fx_elsewhere/enable');
      expect(text).toContain('Starts other programs');
      expect(text).toContain(`value="${digests[0]}"`);
      // What was not read is not allowed.
      const other = { ...path, digests: ['0'.repeat(64)] };
      expect(await admin.rpc<Planned>('/web/backend/apps/allow', other)).toMatchObject({ reviews: [{}] });
      const allowed = await admin.rpc<Planned>('/web/backend/apps/allow', { ...path, digests });
      expect(allowed).toMatchObject({ reviews: [], problems: [], addons: [{}] });
      expect((await admin.form('/web/apps/fx_elsewhere/enable', { parties: allowed.parties })).status).toBe(303);
      const log = await admin.rpc<object[]>('/web/dataset/call_kw', {
        model: 'ir.module.consent',
        method: 'search_read',
        args: [[], ['addon', 'version', 'consented_by', 'summary']],
        kwargs: {},
      });
      expect(log).toMatchObject([
        {
          addon: 'fx_elsewhere',
          version: '1.0.0',
          consented_by: 'admin',
          summary: 'Starts other programs\nNo longer: Contacts one.example.org',
        },
        { addon: 'fx_elsewhere', consented_by: 'first start', summary: 'Contacts one.example.org' },
      ]);
    }
    // Less, or only the usual: nobody is asked.
    write('export const name = "calm";\n');
    await (await createTestApp({ ...options, url })).close();
    write('export const run = (code: string) => eval(code);\n');
    await expect(createTestApp({ ...options, url })).rejects.toThrow(
      /its code was changed and can do more than was agreed to: .*“Try again” on the Apps screen/,
    );
  });
});
