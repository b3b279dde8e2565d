import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '@pergola/core';
import { type TemplateText, textsOfPatch, textsOfTemplate } from '@pergola/pages';
import { type Message, writePot } from '@pergola/texts';
import { type CodeText, scanCode } from './scan-code.ts';

export interface ExtractInput {
  readonly addon: string;
  readonly addonDir: string;
}

/** Folders without translatable texts: data, tests, texts for operators only, or no code. */
const skipped = new Set([
  'node_modules',
  'dist',
  'tests',
  'cli',
  'data',
  'demo',
  'migrations',
  'static',
  'styles',
  'i18n',
]);
/** Paths of browser code. */
const browserCode = /(^|\/)(islands|behaviours|browser|kit)(\/|\.)/;
/** Code of backend screens, whose texts visitors' pages don't load. */
const backendCode = /^backend\//;

/** Folders that share a catalogue: the packages use the core's. */
function sharing(folder: string): string[] {
  return folder === path.join(repository, 'core') ? [folder, path.join(repository, 'packages')] : [folder];
}

/** A text of an addon with its first position. */
export interface CollectedMessage extends Message {
  readonly line: number;
}

/** Collects all translatable texts of an addon, in the order of its files. */
export async function collectMessages({ addonDir }: Omit<ExtractInput, 'addon'>): Promise<CollectedMessage[]> {
  const messages = new Map<string, CollectedMessage>();
  const add = (text: TemplateText | CodeText, file: string): void => {
    const existing = messages.get(text.id);
    messages.set(text.id, {
      id: text.id,
      plural: existing?.plural ?? text.plural,
      line: existing?.line ?? text.line,
      files: [...new Set([...(existing?.files ?? []), file])],
      notes: [...new Set([...(existing?.notes ?? []), ...('notes' in text ? text.notes : [])])],
      browser: (existing?.browser ?? false) || browserCode.test(file),
      backend: (existing?.backend ?? false) || backendCode.test(file),
    });
  };
  for (const folder of sharing(addonDir)) {
    for (const file of await listFiles(folder)) {
      const source = await readFile(path.join(folder, file), 'utf8');
      const name = folder === addonDir ? file : `${path.basename(folder)}/${file}`;
      const texts = file.endsWith('.patch.hbs')
        ? textsOfPatch(source)
        : file.endsWith('.hbs')
          ? textsOfTemplate(source)
          : await scanCode(source, file);
      for (const text of texts) add(text, name);
    }
  }
  return [...messages.values()];
}

/** Collects the texts of an addon and writes them to `i18n/<addon>.pot`; returns their number. The file is only written if they changed. */
export async function extract(input: ExtractInput): Promise<{ file: string; count: number }> {
  const messages = await collectMessages(input);
  const folder = path.join(input.addonDir, 'i18n');
  const file = path.join(folder, `${input.addon}.pot`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, writePot(input.addon, messages));
  return { file, count: messages.length };
}

async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory() && !skipped.has(entry.name)) {
      files.push(...(await listFiles(path.join(folder, entry.name))).map((name) => `${entry.name}/${name}`));
    } else if (entry.isFile() && isSource(entry.name)) files.push(entry.name);
  }
  return files;
}

function isSource(name: string): boolean {
  return name.endsWith('.hbs') || (/\.[cm]?[jt]sx?$/.test(name) && !/\.(d|test)\.[cm]?tsx?$/.test(name));
}
