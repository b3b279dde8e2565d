import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { sentence } from '@pergola/core';
import type { CapabilityList } from './capability.ts';

/** Attributes whose address a page loads or sends a form to; other links only lead somewhere. */
const loading =
  /<(\w+)\b[^>]*?\s(src|srcset|action|formaction|poster|data|href)\s*=\s*["']?\s*(?:https?:)?\/\/([\w.-]+)/gi;
const styleSheet = /(?:url\(|@import)\s*["']?\s*(?:https?:)?\/\/([\w.-]+)/gi;

/** Reports hosts that templates and style sheets make visitors' browsers contact, and templates of others that are changed. */
export function readMarkup(folder: string, paths: readonly string[], list: CapabilityList): void {
  for (const path of paths) {
    const file = relative(folder, path).split(sep).join('/');
    const source = readFileSync(path, 'utf8');
    const at = (index: number) => ({ file, line: source.slice(0, index).split('\n').length });
    const [, patched] = /(?:^|\/)([^/]+)\.patch\.hbs$/.exec(file) ?? [];
    if (patched)
      list.add('route', sentence('Changes the template {template}', { template: patched }), 'low', { file, line: 1 });
    for (const { 1: tag = '', 2: attribute = '', 3: host = '', index } of source.matchAll(loading)) {
      if (attribute.toLowerCase() === 'href' && tag.toLowerCase() !== 'link') continue;
      if (/action$/i.test(attribute))
        list.add('network', sentence('Sends forms to {host}', { host }), 'high', at(index));
      else list.add('network', sentence('Makes visitors’ browsers contact {host}', { host }), 'medium', at(index));
    }
    for (const { 1: host = '', index } of source.matchAll(styleSheet))
      list.add('network', sentence('Makes visitors’ browsers contact {host}', { host }), 'medium', at(index));
  }
}
