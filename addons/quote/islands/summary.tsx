import { postForm, t, url } from 'pergola/browser';
import { type ReactNode, useEffect } from 'react';
import type { z } from 'zod';
import { changed, declining, signing } from './parts/quote-state.ts';
import type schema from './summary.props.ts';

/** Total of the quotation, with the buttons to accept and to decline it. Its content is rendered between them. */
export default function Summary({
  totalText,
  acceptable,
  path,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const now = changed.use();
  // GET requests don't write, so the browser reports the view.
  useEffect(() => void postForm(url(`${path}/viewed`), {}).catch(() => {}), [path]);
  return (
    <>
      <p className="h3 mb-2" data-slot="quote-total">
        <span className="js_total">{now?.totalText ?? totalText}</span>
      </p>
      {children}
      {acceptable && (
        <>
          {/* biome-ignore lint/a11y/useValidAnchor: without JavaScript it is a link */}
          <a
            className="btn btn-primary w-100 mb-2"
            href="#accept"
            data-accept=""
            data-in-place
            onClick={(event) => {
              event.preventDefault();
              signing.set(true);
            }}
          >
            {t('Accept and sign')}
          </a>
          {/* biome-ignore lint/a11y/useValidAnchor: it leads to the form, and opens it */}
          <a
            className="btn btn-outline-secondary w-100 mb-2"
            href="#decline"
            data-decline=""
            onClick={() => declining.set(true)}
          >
            {t('Decline')}
          </a>
        </>
      )}
    </>
  );
}
