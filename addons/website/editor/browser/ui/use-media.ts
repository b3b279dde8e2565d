import { confirmDialog, t } from 'pergola/browser';
import { useState } from 'react';
import { copyOf, removeMedia, searchDelay } from '../media.ts';
import { troubleOf } from '../trouble.ts';
import type { Users } from './still-used.tsx';
import { type Called, useCall, useSettled } from './use-call.ts';

/** Media search by name, with pages and deletion. */
export interface MediaSearch<T> {
  /** Text in the search field, and the text of the last search. */
  readonly needle: string;
  readonly settled: string;
  setNeedle(needle: string): void;
  readonly page: number;
  setPage(page: number): void;
  readonly found: Called<T>;
  /** Item that couldn't be deleted, and the records that use it. */
  readonly used: { readonly id: number; readonly users: Users } | null;
  forgetUsed(): void;
  /** Last deleted item, and a function that restores it. */
  readonly gone: { readonly name: string; readonly putBack: (() => Promise<void>) | null } | null;
  /** Deletes after confirmation. */
  remove(media: { readonly id: number; readonly name: string; readonly address: string }): Promise<void>;
}

/** Searches for media of a kind. `fresh` changes after uploads. */
export function useMedia<T>(
  kind: 'picture' | 'file',
  find: (needle: string, page: number) => Promise<T>,
  fresh: number,
): MediaSearch<T> {
  const [needle, setNeedle] = useState('');
  const [at, setAt] = useState({ needle: '', page: 0 });
  const [used, setUsed] = useState<MediaSearch<T>['used']>(null);
  const settled = useSettled(needle.trim(), searchDelay);
  // A new search starts on its first page.
  const page = at.needle === settled ? at.page : 0;
  const found = useCall(() => find(settled, page), `${settled} ${page} ${fresh}`);
  const [gone, setGone] = useState<MediaSearch<T>['gone']>(null);
  const attempt = async (id: number, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      setUsed({ id, users: [{ id: 0, name: troubleOf(error).message, website_url: '' }] });
    }
  };
  const remove: MediaSearch<T>['remove'] = async ({ id, name, address }) => {
    setUsed(null);
    setGone(null);
    if (!(await confirmDialog(t('Delete “{name}”?', { name }), { yes: t('Delete'), no: t('Keep it') }))) return;
    await attempt(id, async () => {
      const putBack = await copyOf(address, name, kind);
      const users = (await removeMedia(id, kind))[id];
      if (users) {
        setUsed({ id, users });
        return;
      }
      setGone({
        name,
        putBack:
          putBack &&
          (() =>
            attempt(id, async () => {
              await putBack();
              setGone(null);
              found.again();
            })),
      });
      found.again();
    });
  };
  const setPage = (next: number): void => setAt({ needle: settled, page: next });
  return { needle, settled, setNeedle, page, setPage, found, used, forgetUsed: () => setUsed(null), gone, remove };
}
