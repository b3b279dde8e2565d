import { rpc } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import { Html } from '#addons/website/kit';

/** Asks for newer weather once the page is shown; what there is stays until it comes. */
export default function Weather({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    rpc<string>('/dribblo/weather').then(
      (newer) => setHtml(newer.trim()),
      () => {},
    );
  }, []);
  return html === '' ? children : <Html html={html} />;
}
