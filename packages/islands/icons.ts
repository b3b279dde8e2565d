import { readFileSync } from 'node:fs';
import path from 'node:path';
import { iconFolder } from '@pergola/core';

/** Creates a lookup of Bootstrap Icons, which reads each icon on first use and caches it. */
export function createIcons(): (name: string) => string {
  const folder = iconFolder();
  const icons = new Map<string, string>();
  return (name) => {
    const cachedIcon = icons.get(name);
    if (cachedIcon !== undefined) return cachedIcon;
    const svg = /^[a-z0-9-]{1,60}$/.test(name) ? read(path.join(folder, `${name}.svg`)) : '';
    icons.set(name, svg);
    return svg;
  };
}

function read(file: string): string {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch {
    return '';
  }
  const inside = /<svg[^>]*viewBox="([^"]+)"[^>]*>([\s\S]*)<\/svg>/.exec(source);
  return inside
    ? `<svg class="icon" viewBox="${inside[1]}" aria-hidden="true" focusable="false">${inside[2]?.trim()}</svg>`
    : '';
}
