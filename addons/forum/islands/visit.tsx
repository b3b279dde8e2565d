import { request } from 'pergola/browser';
import { useEffect } from 'react';
import type { z } from 'zod';
import { keepDraft, readDraft } from './parts/drafts.ts';
import type schema from './visit.props.ts';

/** Half an hour in which a visit counts once. */
const ONCE = 30 * 60_000;

/** Tells the server that somebody reads a question, and forgets drafts of what is posted by now. Shows nothing. */
export default function Visit({ seen, title, sent }: z.infer<typeof schema>) {
  useEffect(() => {
    for (const name of sent) {
      const draft = readDraft(name);
      // Another question may be on its way while an older one is read.
      const isOther = name.endsWith('.ask') && draft?.values.question_name?.trim() !== title.trim();
      if (draft?.sent && !isOther) keepDraft(name, null);
    }
    if (seen === null || wasHere(seen)) return;
    void request(seen, { method: 'POST', keepalive: true }).catch(() => {
      // A view that is not counted is no loss to who reads.
    });
  }, [seen, title, sent]);
  return null;
}

function wasHere(address: string): boolean {
  const key = `forum.seen.${address}`;
  try {
    const last = Number(sessionStorage.getItem(key));
    if (Date.now() - last < ONCE) return true;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    // Counted then.
  }
  return false;
}
