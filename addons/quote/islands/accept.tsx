import { Check, TextArea, TextField } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import type { z } from 'zod';
import type schema from './accept.props.ts';
import { changed, declining, signing } from './parts/quote-state.ts';
import { Signing } from './parts/signing.tsx';

/**
 * Last part of a quotation: the customer accepts it with a drawn or typed signature, or declines it. Signs the lines and totals as changed
 * on the page.
 */
export default function Accept(props: z.infer<typeof schema>) {
  const now = changed.use();
  const current = now ? { ...props, version: now.version, total: now.total, totalText: now.totalText } : props;
  const { id, token, path, version, total, totalText } = current;
  const isDeclining = declining.use();
  return (
    <section className="mb-5 d-print-none" id="accept" tabIndex={-1} data-slot="quote-accept">
      <h2>{t('Accept')}</h2>
      <p>{t('By signing, you accept this quotation for {total}, subject to its terms.', { total: totalText })}</p>
      <div className="quote-with-script">
        <button className="btn btn-primary" type="button" data-accept="" onClick={() => signing.set(true)}>
          {t('Accept and sign')}
        </button>
      </div>
      <noscript>
        <form method="post" action={url('/quote/accept/form')} data-slot="quote-accept-form">
          <Token />
          <input type="hidden" name="order_id" value={id} />
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="total" value={total} />
          <TextField
            id="quote-signer-plain"
            label={t('Your name (used as your signature)')}
            name="signer"
            autoComplete="name"
            maxLength={120}
            required
          />
          <Check
            id="quote-typed"
            wrap="form-check mb-3"
            label={t('Use my typed name as my signature')}
            name="typed"
            required
          />
          <button className="btn btn-primary" type="submit">
            {t('Accept and sign')}
          </button>
        </form>
      </noscript>
      <details
        className="mt-4"
        id="decline"
        data-slot="quote-decline"
        open={isDeclining}
        onToggle={({ currentTarget }) => declining.set(currentTarget.open)}
      >
        <summary>{t('Decline this quotation')}</summary>
        <form className="mt-3" method="post" action={url(`${path}/decline`)}>
          <Token />
          <TextArea
            id="quote-reason"
            label={t('How could we have done better? (optional)')}
            name="decline_message"
            rows={3}
            maxLength={5000}
          />
          <button className="btn btn-danger" type="submit">
            {t('Decline')}
          </button>
        </form>
      </details>
      {signing.use() && <Signing about={current} onClose={() => signing.set(false)} />}
    </section>
  );
}
