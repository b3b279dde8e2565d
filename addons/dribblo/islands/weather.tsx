import { type ReactNode, useEffect, useState } from 'react';
import { Html } from '#addons/website/kit';
import { RpcError, rpc } from '#core/browser';

/** Asks for newer weather once the page is shown; what there is stays until it comes. */
export default function Weather({ children }: { readonly children?: ReactNode }) {
  const [html, setHtml] = useState('');
  useEffect(() => {
    rpc<string>('/dribblo/weather').then(
      (newer) => setHtml(newer.trim()),
      (error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
      },
    );
  }, []);
  return html === '' ? children : <Html html={html} />;
}
