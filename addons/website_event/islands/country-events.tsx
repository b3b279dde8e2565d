import { request, url } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import { Html } from '#addons/website/kit';

/** Brings the list of the next events up to date: what the server answers takes its place, if there is anything. */
export default function CountryEvents({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    const stop = new AbortController();
    const refresh = async (): Promise<void> => {
      const answer = await request(url('/event/get_country_event_list'), { method: 'POST', signal: stop.signal });
      if (answer.ok) setHtml((await answer.text()).trim());
    };
    // Without an answer what the page came with stays.
    refresh().catch(() => {});
    return () => stop.abort();
  }, []);
  return html === '' ? children : <Html html={html} />;
}
