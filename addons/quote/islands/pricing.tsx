import { type CallResult, rpc, t, url } from 'pergola/browser';
import { ActionForm, type UsedAction, useAction } from 'pergola/islands';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type { pricing, updateLine } from '../routes/calls.ts';
import { changed } from './parts/quote-state.ts';
import type schema from './pricing.props.ts';

type Props = z.infer<typeof schema>;

/** Lines and totals; quantities change in place. Customers must sign exactly what they see, so each change reloads all of it. */
export default function Pricing(props: Props) {
  const { id, token } = props;
  const { lines, discounted, saved, sums } = changed.use() ?? props.pricing;
  const update = useAction<typeof updateLine>('/quote/update_line', {
    form: url('/quote/update_line/form'),
    done: (answer) => {
      if (!answer) location.reload();
      else
        void rpc<typeof pricing>('/quote/pricing', { order_id: id, token }).then(
          (fresh) => changed.set(fresh),
          () => location.reload(),
        );
    },
  });
  return (
    <section className="mb-5" id="pricing" data-slot="quote-pricing" aria-busy={update.pending || undefined}>
      <h2>{t('Pricing')}</h2>
      <table className="table quote-lines">
        <thead>
          <tr>
            <th scope="col">{t('Description')}</th>
            <th scope="col" className="text-end">
              {t('Quantity')}
            </th>
            <th scope="col" className="text-end">
              {t('Unit price')}
            </th>
            {discounted && (
              <th scope="col" className="text-end">
                {t('Discount')}
              </th>
            )}
            <th scope="col" className="text-end">
              {t('Amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={line.id} line={line} about={props} discounted={discounted} update={update} />
          ))}
          {lines.length === 0 && (
            <tr>
              <td colSpan={5}>{t('This quotation is empty.')}</td>
            </tr>
          )}
        </tbody>
      </table>
      <div className="row justify-content-end">
        <div className="col-sm-8 col-md-6 col-xl-5">
          <table className="table table-sm quote-totals">
            <tbody>
              {saved !== '' && <Sum label={t('You save')} amount={saved} look="text-success-emphasis" />}
              {sums.map(({ key, label, text, note }) =>
                key === 'total' ? (
                  <tr key={key}>
                    <th scope="row">{label}</th>
                    <td className="text-end">
                      <strong className="js_total">{text}</strong>
                      {note !== '' && <span className="text-body-secondary">, {note}</span>}
                    </td>
                  </tr>
                ) : (
                  <Sum key={key} label={label} amount={text} />
                ),
              )}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}

function Sum({ label, amount, look }: { readonly label: string; readonly amount: string; readonly look?: string }) {
  return (
    <tr className={look}>
      <th scope="row" className="fw-normal">
        {label}
      </th>
      <td className="text-end">{amount}</td>
    </tr>
  );
}

interface RowProps {
  readonly line: CallResult<typeof pricing>['lines'][number];
  readonly about: Props;
  readonly discounted: boolean;
  readonly update: UsedAction<never, unknown>;
}

function LineRow({ line, about: { id: order, token, lang }, discounted, update }: RowProps) {
  const { id, name, quantity, discount, was: priceBefore } = line;
  const fields = (
    <>
      <input type="hidden" name="order_id" value={order} />
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="line_id" value={id} />
    </>
  );
  /** Ignores further presses while a change is pending. */
  const once = (event: React.SubmitEvent): void => {
    if (update.pending) event.preventDefault();
  };
  const more = useRef<HTMLButtonElement>(null);
  const isLess = useRef(false);
  // Moves the focus when the pressed button becomes inactive.
  useEffect(() => {
    if (line.least && isLess.current) more.current?.focus();
  }, [line.least]);
  return (
    <tr data-line-id={id} data-slot="quote-line">
      <td className="quote-name">
        <div lang={lang ?? undefined}>
          <strong>{name}</strong>
          {line.more.map((text) => (
            <span key={text}>
              <br />
              <span className="small text-body-secondary">{text}</span>
            </span>
          ))}
        </div>
        {line.removable && (
          <ActionForm of={update} className="mt-1" onSubmit={once}>
            {fields}
            <input type="hidden" name="unlink" value="1" />
            <button className="js_update_line_json btn btn-link btn-sm p-0" type="submit" data-unlink="1">
              {t('Remove')}
              <span className="visually-hidden"> {name}</span>
            </button>
          </ActionForm>
        )}
      </td>
      <td className="quote-quantity text-end">
        {line.changeable ? (
          <div className="input-group input-group-sm quote-spinner">
            <ActionForm of={update} onSubmit={once}>
              {fields}
              <input type="hidden" name="remove" value="1" />
              <button
                className="js_update_line_json btn btn-outline-secondary"
                type="submit"
                data-remove="1"
                aria-label={t('Decrease quantity: {name}', { name })}
                disabled={line.least}
                onClick={() => {
                  isLess.current = true;
                }}
              >
                −
              </button>
            </ActionForm>
            <output className="js_quantity form-control text-center" aria-label={t('Quantity: {name}', { name })}>
              {quantity}
            </output>
            <ActionForm of={update} onSubmit={once}>
              {fields}
              <button
                ref={more}
                className="js_update_line_json btn btn-outline-secondary"
                type="submit"
                aria-label={t('Increase quantity: {name}', { name })}
              >
                +
              </button>
            </ActionForm>
          </div>
        ) : (
          <span className="js_quantity">{quantity}</span>
        )}{' '}
        {line.unit !== '' && <span className="small text-body-secondary">{line.unit}</span>}
      </td>
      <td className="quote-price text-end">
        <span className="quote-label">{t('Unit price')}</span>
        {line.price}
      </td>
      {discounted && (
        <td className="quote-discount text-end">
          {discount !== '' && (
            <>
              <span className="quote-label">{t('Discount')}</span>
              {discount}
            </>
          )}
        </td>
      )}
      <td className="quote-amount text-end">
        {priceBefore !== '' && <s className="small text-body-secondary d-block">{priceBefore}</s>}
        <strong>{line.subtotal}</strong>
      </td>
    </tr>
  );
}
