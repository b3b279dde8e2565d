import { request } from 'pergola/browser';
import { useEffect } from 'react';
import type { z } from 'zod';
import { keepDraft, readDraft } from './parts/drafts.ts';
import type schema from './visit.props.ts';

/** Milliseconds in which repeated visits count once: half an hour. */
const ONCE = 30 * 60_000;

/** Reports a view of the question, and deletes drafts that have been posted. Renders nothing. */
export default function Visit({ seen, title, sent }: z.infer<typeof schema>) {
  useEffect(() => {
    for (const name of sent) {
      const draft = readDraft(name);
      // The draft may belong to another question that hasn't arrived yet.
      const isOther = name.endsWith('.ask') && draft?.values.question_name?.trim() !== title.trim();
      if (draft?.sent && !isOther) keepDraft(name, null);
    }
    if (seen === null || wasSeenRecently(seen)) return;
    void request(seen, { method: 'POST', keepalive: true }).catch(() => {
      // Uncounted views don't matter to the reader.
    });
  }, [seen, title, sent]);
  return null;
}

function wasSeenRecently(address: string): boolean {
  const key = `forum.seen.${address}`;
  try {
    const last = Number(sessionStorage.getItem(key));
    if (Date.now() - last < ONCE) return true;
    sessionStorage.setItem(key, String(Date.now()));
  } catch {
    // Without storage, every view counts.
  }
  return false;
}
