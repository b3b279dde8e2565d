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
  readonly searchedText: string;
  setNeedle(needle: string): void;
  readonly page: number;
  setPage(page: number): void;
  readonly results: Called<T>;
  /** Item that couldn't be deleted, and the records that use it. */
  readonly used: { readonly id: number; readonly users: Users } | null;
  forgetUsed(): void;
  /** Last deleted item, and a function that restores it. */
  readonly deleted: { readonly name: string; readonly putBack: (() => Promise<void>) | null } | null;
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
  const [position, setPosition] = useState({ needle: '', page: 0 });
  const [used, setUsed] = useState<MediaSearch<T>['used']>(null);
  const searchedText = useSettled(needle.trim(), searchDelay);
  // A new search starts on its first page.
  const page = position.needle === searchedText ? position.page : 0;
  const results = useCall(() => find(searchedText, page), `${searchedText} ${page} ${fresh}`);
  const [deleted, setDeleted] = useState<MediaSearch<T>['deleted']>(null);
  const attempt = async (id: number, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      setUsed({ id, users: [{ id: 0, name: troubleOf(error).message, website_url: '' }] });
    }
  };
  const remove: MediaSearch<T>['remove'] = async ({ id, name, address }) => {
    setUsed(null);
    setDeleted(null);
    if (!(await confirmDialog(t('Delete “{name}”?', { name }), { yes: t('Delete'), no: t('Keep') }))) return;
    await attempt(id, async () => {
      const putBack = await copyOf(address, name, kind);
      const users = (await removeMedia(id, kind))[id];
      if (users) {
        setUsed({ id, users });
        return;
      }
      setDeleted({
        name,
        putBack:
          putBack &&
          (() =>
            attempt(id, async () => {
              await putBack();
              setDeleted(null);
              results.reload();
            })),
      });
      results.reload();
    });
  };
  const setPage = (next: number): void => setPosition({ needle: searchedText, page: next });
  return {
    needle,
    searchedText,
    setNeedle,
    page,
    setPage,
    results,
    used,
    forgetUsed: () => setUsed(null),
    deleted,
    remove,
  };
}
