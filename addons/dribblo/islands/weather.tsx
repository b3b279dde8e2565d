import { Html } from '@pergola/website/kit';
import { rpc } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import type { refreshRoute } from '../blocks/weather.ts';

/** Loads newer weather after the page is shown; keeps the old content until it arrives. */
export default function Weather({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    rpc<typeof refreshRoute>('/dribblo/weather').then(
      (newer) => setHtml(newer.trim()),
      () => {},
    );
  }, []);
  return html === '' ? children : <Html html={html} />;
}
