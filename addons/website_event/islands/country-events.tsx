import { Html } from '@pergola/website/kit';
import { request, url } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';

/** Refreshes the list of upcoming events, replacing the initial one unless the response is empty. */
export default function CountryEvents({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    const refresh = async (): Promise<void> => {
      const answer = await request(url('/event/get_country_event_list'), { method: 'POST', signal: stop.signal });
      if (answer.ok) setHtml((await answer.text()).trim());
    };
    // Keeps the initial list if the request fails.
    refresh().catch(() => {});
    return () => stop.abort();
  }, []);
  return html === '' ? children : <Html html={html} />;
}
