import { Icon } from '@pergola/web/kit';
import check from 'bootstrap-icons/icons/check-lg.svg';
import copy from 'bootstrap-icons/icons/copy.svg';
import { notify, t } from 'pergola/browser';
import { type ReactNode, useEffect, useState } from 'react';
import type { z } from 'zod';
import type schema from './bank-box.props.ts';

/** Bank details for a transfer; with JavaScript, each value has a copy button. Its content is shown next to the details. */
export default function BankBox({ rows, children }: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const [canCopy, setCanCopy] = useState(false);
  const [copied, setCopied] = useState('');
  useEffect(() => setCanCopy(true), []);
  const take = async (label: string, text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(label);
    } catch {
      notify(t('Your browser doesn’t allow copying. Select the text and copy it yourself.'));
    }
  };
  return (
    <div className="pay-bank" data-slot="bank">
      <dl className="pay-bank-rows">
        {rows.map(({ label, value, copied: text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span translate="no">{value}</span>
              {text !== '' && (
                <button
                  type="button"
                  className="btn btn-sm btn-outline-secondary"
                  // Reserves the space, so that nothing moves when the button appears.
                  style={canCopy ? undefined : { visibility: 'hidden' }}
                  aria-label={t('Copy: {name}', { name: label })}
                  onClick={() => void take(label, text)}
                >
                  <Icon of={copied === label ? check : copy} />
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className="visually-hidden" role="status">
        {copied === '' ? '' : t('Copied: {name}', { name: copied })}
      </p>
      {children}
    </div>
  );
}
