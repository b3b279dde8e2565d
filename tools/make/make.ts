import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EditedSource } from './edit-source.ts';
import { formatCode } from './format-code.ts';
import { formerNames } from './former-names.ts';
import { type AddonSource, kinds, type MakeOptions, type Part, Unmakeable } from './kinds.ts';
import { namesOf } from './names.ts';

/** Files written, and remaining steps. */
export interface MakeResult {
  /** Paths relative to the addon's folder. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly next: readonly string[];
}

/**
 * Creates a new part of an addon and registers it in `addon.ts`.
 *
 * @param folder the addon's folder
 * @param kind a key of `kinds`
 * @throws Unmakeable if a file already exists, the name is invalid, or the addon can't take the part; nothing is written then
 */
export async function makePart(folder: string, kind: string, name: string, options: MakeOptions): Promise<MakeResult> {
  const make = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!make) throw new Unmakeable(`Unknown kind "${kind}". Available kinds: ${Object.keys(kinds).join(', ')}.`);
  const names = namesOf(path.basename(folder), name);
  if (!names)
    throw new Unmakeable(`"${name}" is not a valid name. Use letters, digits, "-" and "_", starting with a letter.`);
  const source = readAddon(folder);
  const part = make(names, source, options);
  const existingFiles = Object.keys(part.files).filter((file) => existsSync(path.join(folder, file)));
  if (existingFiles.length > 0)
    throw new Unmakeable(
      `These files already exist: ${existingFiles.join(', ')}. Choose another name, or delete them.`,
    );
  const { contents, next } = registered(source, part);
  for (const [file, content] of Object.entries({ ...part.files, ...contents })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  const hasPackageVersion = part.version !== undefined && (await setPackageVersion(folder, part.version));
  const created = Object.keys(part.files);
  formatCode(folder, [...created, ...Object.keys(contents)]);
  const changed = Object.keys(contents).filter((file) => source.files.includes(file));
  return {
    created: [...created, ...Object.keys(contents).filter((file) => !changed.includes(file))],
    changed: [...changed, ...(hasPackageVersion ? ['package.json'] : [])],
    next: [...formerNames(folder, part.former ?? [], created), ...next],
  };
}

function readAddon(folder: string): AddonSource & { readonly addon: EditedSource } {
  const files = globSync('**/*.ts', { cwd: folder, exclude: (file) => /^(node_modules|dist|\.build)$/.test(file) });
  const read = (file: string): EditedSource => new EditedSource(readFileSync(path.join(folder, file), 'utf8'));
  if (!files.includes('addon.ts')) throw new Unmakeable(`${folder} has no addon.ts.`);
  const addon = read('addon.ts');
  return {
    name: path.basename(folder),
    title: addon.textOf('title') ?? path.basename(folder),
    version: addon.textOf('version') ?? '1.0.0',
    files: files.map((file) => file.replaceAll(path.sep, '/')),
    hasMenu: (id) =>
      files.some((file) => /^(addon|menus?|views?)\b/.test(file) && read(file).text.includes(`menu('${id}'`)),
    read,
    addon,
  };
}

/** New contents of `addon.ts` and `security.ts` with the part registered, and the steps that can't be automated. */
function registered(
  { addon, files, read }: ReturnType<typeof readAddon>,
  part: Part,
): { readonly contents: Record<string, string>; readonly next: readonly string[] } {
  const next: string[] = [];
  const contents: Record<string, string> = {};
  const originalText = addon.text;
  const add = (list: string, element: string, name: string, from: string): void => {
    const isDone = addon.addImport(name, from) && addon.addToAddon(list, element);
    if (!isDone) next.push(`Add it to addon.ts: import { ${name} } from '${from}'; ${list}: [${element}]`);
  };
  if (part.access) {
    const { model, from } = part.access;
    const element = `access(${model}, { 'base.group_user': 'rwcd' })`;
    const security = files.includes('security.ts') ? read('security.ts') : new EditedSource('');
    security.addImport('access', 'pergola');
    security.addImport(model, from);
    if (!security.addToExport('lists', element)) {
      security.addStatements(`export const lists = [${element}];\n`);
      add('access', '...lists', 'lists', './security.ts');
    }
    contents['security.ts'] = security.text;
  }
  for (const { list, element, name, from } of part.lists ?? []) add(list, element, name, from);
  if (part.version) addon.setText('version', part.version);
  if (addon.text !== originalText) contents['addon.ts'] = addon.text;
  return { contents, next: [...next, ...part.next] };
}

/** Sets the version in the addon's package.json. Returns whether the file changed. */
async function setPackageVersion(folder: string, version: string): Promise<boolean> {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return false;
  const text = await readFile(file, 'utf8');
  const next = text.replace(/("version": ")[^"]*"/, `$1${version}"`);
  await writeFile(file, next);
  return next !== text;
}
