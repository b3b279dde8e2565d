import { matches } from '../lib/domain.ts';
import type { FormDocumentInfo } from '../types.ts';
import type { FormValues } from './values.ts';

/** The documents that a record has now, with their addresses on this site; one whose address is not known is left out. */
export function documentsOf(
  documents: readonly FormDocumentInfo[],
  record: FormValues,
): readonly { readonly label: string; readonly address: string }[] {
  return documents.flatMap(({ label, url, when }) => {
    if (when !== null && !matches(when, record)) return [];
    const parts = fieldsIn(url).map((name) => record[name]);
    if (!parts.every((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')) return [];
    return [{ label, address: ownPath(url.replace(/\{(\w+)\}/g, (_, name: string) => String(record[name]))) }];
  });
}

/** Fields that an address names. */
export function fieldsIn(url: string): string[] {
  return [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The path of an address, which may name one of the site's hosts: it is opened on this one. */
function ownPath(address: string): string {
  const found = URL.parse(address, location.origin);
  return found ? `${found.pathname}${found.search}` : '/';
}
