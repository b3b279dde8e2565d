import { type ReactNode, useEffect, useState } from 'react';
import { on } from '#core/browser';

/** The place of the page it fills, for other addons to put something in. */
const PLACE = 'order-after-lines';

/** What other addons show of an order (tickets): fetched anew when the money has come. */
export default function OrderParts({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState<string | null>(null);
  useEffect(
    () => on('website_sale.paid', () => void freshPart().then((fresh) => fresh !== null && setHtml(fresh))),
    [],
  );
  if (html === null) return children;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the same page of the server made it
  return <div data-slot={PLACE} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** The part as the page has it now; null where it cannot be had. */
async function freshPart(): Promise<string | null> {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.querySelector(`[data-slot="${PLACE}"]`)?.innerHTML ?? null;
}
