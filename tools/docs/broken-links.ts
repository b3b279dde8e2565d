import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Links in the pages of a folder that point to a missing file, or to a missing anchor. */
export function brokenLinks(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const fileAnchors =
      anchors.get(file) ?? new Set([...readPage(file).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decoded(id)));
    anchors.set(file, fileAnchors);
    return fileAnchors;
  };
  const readPage = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const problems = new Set<string>();
  for (const file of files) {
    for (const [, href = ''] of readPage(file).matchAll(/<(?:a|img|script|link)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      if (/^(?:[a-z]+:|\/\/)/.test(href)) continue;
      const [to = '', anchor] = decoded(href).split('#');
      const target = to === '' ? file : path.join(path.dirname(file), to);
      const fileExists = existsSync(path.join(folder, target));
      if (fileExists && (!anchor || !target.endsWith('.html') || anchorsOf(target).has(anchor))) continue;
      problems.add(`${file}: ${href} is a broken link.`);
    }
  }
  return [...problems];
}

function decoded(text = ''): string {
  return decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&quot;', '"'));
}
