import { on, request } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import type { z } from 'zod';
import type schema from './order-parts.props.ts';
import { orderChanged } from './parts/order-changed.ts';

/** Slot of the page that this island fills with content of other addons. */
const PLACE = 'order-after-lines';
/** Attribute with a unique name on every other part of the page that depends on the order. */
const PART = 'data-order-part';
/** Attribute of a page while a provider is processing a payment. */
const PROCESSING = 'data-processing';
/** Pauses between polls in seconds; the page stops updating after the last one. */
const PAUSES = [1, 1, 1, 2, 2, 3, 5, 5, 10, 10, 20, 30, 30, 60, 60, 60];

/**
 * Keeps all parts of a page that depend on the order up to date: its content, which other addons provide (tickets), and every element with
 * `data-order-part`. Takes all of them from one fresh copy of the page after a change, so that they never contradict each other.
 */
export default function OrderParts({ polls, children }: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const [html, setHtml] = useState<string | null>(null);
  const hasContent = children !== undefined;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = async (): Promise<Document | null> => {
      const page = await freshPage();
      const slot = page?.querySelector(`[data-slot="${PLACE}"]`);
      if (!page || !slot) return null;
      if (hasContent) setHtml(slot.innerHTML);
      replaceParts(page);
      return page;
    };
    const ask = (count: number): void => {
      const pause = PAUSES[count];
      if (pause === undefined) return;
      timer = setTimeout(async () => {
        // Doesn't fetch while the tab is hidden.
        const page = document.hidden ? null : await renew();
        if (page === null || page.querySelector(`[${PROCESSING}]`)) ask(document.hidden ? count : count + 1);
      }, pause * 1_000);
    };
    if (polls) ask(0);
    const ends = orderChanged.map((name) => on(name, () => void renew()));
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [polls, hasContent]);
  if (html === null) return children;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the same page of the server made it
  return <div data-slot={PLACE} dangerouslySetInnerHTML={{ __html: html }} />;
}

/**
 * Replaces the parts of this page with their counterparts from a fresh copy; the loader hydrates their islands. Keeps the focus in a
 * focused part.
 */
function replaceParts(page: Document): void {
  for (const part of document.querySelectorAll(`[${PART}]`)) {
    const fresh = page.querySelector(`[${PART}="${part.getAttribute(PART)}"]`);
    if (!fresh || fresh.innerHTML === part.innerHTML) continue;
    const hadFocus = part.contains(document.activeElement);
    part.replaceChildren(...fresh.childNodes);
    if (!hadFocus) continue;
    const target =
      part.querySelector<HTMLElement>('a[href], button, input') ?? document.querySelector<HTMLElement>('h1');
    if (target?.tagName === 'H1') target.tabIndex = -1;
    target?.focus();
  }
}

/** Returns a fresh copy of the page, or null if it can't be loaded. Redirects to the payment page if the payment failed. */
async function freshPage(): Promise<Document | null> {
  const answer = await request(location.href).catch(() => null);
  if (answer?.redirected) location.assign(answer.url);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
}
