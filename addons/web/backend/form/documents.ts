import { matches } from '../lib/domain.ts';
import type { FormDocumentInfo } from '../types.ts';
import type { FormValues } from './values.ts';

/** Returns a record's documents with their addresses on this site. Skips documents whose address is incomplete. */
export function documentsOf(
  documents: readonly FormDocumentInfo[],
  record: FormValues,
): readonly { readonly label: string; readonly address: string }[] {
  return documents.flatMap(({ label, url, when: condition }) => {
    if (condition !== null && !matches(condition, record)) return [];
    const parts = fieldsIn(url).map((name) => record[name]);
    if (!parts.every((part) => (typeof part === 'string' && part !== '') || typeof part === 'number')) return [];
    return [{ label, address: ownPath(url.replace(/\{(\w+)\}/g, (_, name: string) => String(record[name]))) }];
  });
}

/** Returns the fields named in an address. */
export function fieldsIn(url: string): string[] {
  return [...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Returns the path of an address, which may be on another host of the site. It is opened on the current host. */
function ownPath(address: string): string {
  const url = URL.parse(address, location.origin);
  return url ? `${url.pathname}${url.search}` : '/';
}
