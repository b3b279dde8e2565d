import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addonFolders, addonRoots, type CommandIo, repository } from '@pergola/core';
import { main } from '../main.ts';

const folder = mkdtempSync(join(tmpdir(), 'sheet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command prints, and its exit code. */
async function run(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const printed = { out: [] as string[], err: [] as string[] };
  const io: CommandIo = {
    out: (line) => void printed.out.push(line),
    err: (line) => void printed.err.push(line),
    confirm: async () => false,
    secret: async () => null,
  };
  const status = await main(words, io);
  return { status, out: printed.out.join('\n'), err: printed.err.join('\n') };
}

interface PrintedSheet {
  readonly version: string;
  readonly against?: string;
  readonly capabilities: readonly { readonly kind: string; readonly what: string; readonly risk: string }[];
  readonly removed?: readonly object[];
}

async function sheet(...words: string[]): Promise<PrintedSheet> {
  const { out, err } = await run('sheet', ...words, '--json');
  if (out === '') throw new Error(err);
  return JSON.parse(out);
}

describe('pergola sheet', () => {
  it('raises no false alarm about the shipped addons', async () => {
    const alarms: string[] = [];
    for (const name of addonFolders(addonRoots()).keys())
      for (const { kind, what, risk } of (await sheet(name)).capabilities)
        if (risk === 'high') alarms.push(`${name}: ${kind}: ${what}`);
    // Each is true: these addons do what an administrator would want to know of an unknown one.
    expect(alarms).toEqual([
      'dribblo: network: Contacts hosts chosen at run time',
      'forum: model: Changes res.users without access rights',
      'forum: model: Uses res.users without access rights',
      'mass_mailing: file: Reads files chosen at run time',
      'mass_mailing: file: Writes files chosen at run time',
      'mass_mailing: sql: Reads the table core_outbox by SQL',
      'mass_mailing: mail: Sends email past the outbox',
      'quote: sql: Changes the table sale_order by SQL',
      'quote: sql: Reads the table core_ownership by SQL',
      'sale: network: Contacts hosts chosen at run time',
      'sale: file: Reads files chosen at run time',
      'sale: sql: Reads the table core_ownership by SQL',
      'web: sql: Changes the table core_cron by SQL',
      'web: sql: Changes the table core_job by SQL',
      'web: sql: Reads the table core_cron by SQL',
      'web: sql: Reads the table core_job by SQL',
      'web: sql: Reads the table core_outbox by SQL',
      'web: model: Changes res.users without access rights',
      'web: mail: Sends email past the outbox',
      'website: file: Reads files chosen at run time',
      'website: sql: Reads the table core_ownership by SQL',
      'website_event: sql: Changes the table sale_order_line by SQL',
    ]);
  });

  it('names an addon by its folder too, prints where it does what, and suggests a name', async () => {
    const library = join(repository, 'examples/library');
    const { out, status } = await run('sheet', library);
    expect(status).toBe(0);
    expect(out).toContain('library 1.0.0');
    expect(out).toMatch(
      /^ {2}route +\/library\/:book\/reserve writes for signed-in users {2}\(routes\/reservations\.ts:\d+\)$/m,
    );
    expect(await run('sheet', 'libary')).toMatchObject({ status: 2, err: expect.stringContaining('“libary”') });
    expect(await run('sheet', tmpdir())).toMatchObject({
      status: 1,
      err: expect.stringContaining('There is no addon'),
    });
    expect((await run('sheet', 'sal')).err).toContain('Did you mean “sale”?');
  });

  it('compares two versions', async () => {
    const next = join(folder, 'library');
    cpSync(join(repository, 'examples/library'), next, { recursive: true });
    const manifest = join(next, 'addon.ts');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace("version: '1.0.0'", "version: '1.1.0'"));
    writeFileSync(join(next, 'services/report.ts'), 'export const send = (url: string) => fetch(url);\n');
    rmSync(join(next, 'jobs/remind.ts'));
    const before = join(repository, 'examples/library');
    const { version, against, capabilities, removed } = await sheet(next, '--against', before);
    expect({ version, against, capabilities }).toMatchObject({
      version: '1.1.0',
      against: '1.0.0',
      capabilities: [{ kind: 'network', risk: 'high', where: [{ file: 'services/report.ts', line: 1 }] }],
    });
    expect(removed).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'job' })]));
    expect((await run('sheet', before, '--against', before)).out).toContain('It can do the same.');
  });
});
