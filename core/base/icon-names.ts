import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// architecture-exempt(mutable-module): names of the files of an installed package, the same for every application
let names: ReadonlySet<string> | null = null;

/** Folder of the Bootstrap Icons SVG files. */
export function iconFolder(): string {
  return path.join(path.dirname(createRequire(import.meta.url).resolve('bootstrap-icons/package.json')), 'icons');
}

/** Names of all Bootstrap Icons. */
export function iconNames(): ReadonlySet<string> {
  names ??= new Set(readdirSync(iconFolder()).map((file) => path.parse(file).name));
  return names;
}
