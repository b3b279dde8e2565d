import { Check, TextField } from '@pergola/website/kit';
import { Dialog } from '@pergola/website/kit-dialog';
import { t, url } from 'pergola/browser';
import { Token, useAction } from 'pergola/islands';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import type { accept } from '../../routes/calls.ts';
import type schema from '../accept.props.ts';
import { usePad } from './use-pad.tsx';

interface Props {
  readonly about: z.infer<typeof schema>;
  readonly onClose: () => void;
}

/** Dialog for signing a quotation, with a drawing or with the typed name. */
export function Signing({ about: { id, token, path, reference, version, total, totalText }, onClose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const plain = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState({ signer: false, sign: false });
  const [signer, setSigner] = useState('');
  const [isTyped, setTyped] = useState(false);
  const [isSent, setSent] = useState(false);
  const goOn = (accepted: boolean): void => {
    setSent(true);
    location.assign(`${url(path)}?message=${accepted ? 3 : 4}`);
  };
  const accepting = useAction<typeof accept>('/quote/accept', {
    done: goOn,
    failed: () => {
      goOn(false);
      return true;
    },
  });
  const clearSignError = (): void => setWrong((errors) => ({ ...errors, sign: false }));
  // Renders at once: the dialog moves when the error disappears, and the stroke must start at the pad's new position.
  const pad = usePad(canvas, () => flushSync(clearSignError));
  const send = (): void => {
    const isEmpty = pad.current?.isEmpty() ?? true;
    const name = signer.trim();
    setWrong({ signer: name === '', sign: isEmpty && !isTyped });
    const wanting = name === '' ? field : isEmpty && !isTyped ? canvas : null;
    wanting?.current?.focus();
    if (wanting) return;
    if (isEmpty) {
      // Submits the same form as without scripts; the response is the whole page.
      setSent(true);
      plain.current?.submit();
      return;
    }
    const sign = pad.current?.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
    accepting.run({ order_id: id, token, signer: name, version, total, sign });
  };
  const hidden = { order_id: id, token, version, total, signer: signer.trim(), typed: 'on' };
  return (
    <>
      <Dialog
        id="modelaccept"
        title={t('Accept and sign')}
        onClose={onClose}
        onSubmit={send}
        submit={t('Accept and sign')}
        busy={accepting.pending || isSent}
      >
        <p>{t('I accept quotation {reference} for {total}, subject to its terms.', { reference, total: totalText })}</p>
        <TextField
          ref={field}
          id="quote-signer"
          label={t('Your name')}
          error={wrong.signer ? t('Enter your name.') : ''}
          name="signer"
          autoComplete="name"
          maxLength={120}
          required
          value={signer}
          onChange={(value) => {
            setSigner(value);
            // Clears the error mark of a corrected field.
            if (value.trim() !== '') setWrong({ ...wrong, signer: false });
          }}
        />
        <div
          className={`quote-panel${wrong.sign ? ' has-error panel-danger' : ''}`}
          id="drawsign"
          data-slot="quote-signature"
        >
          <div className="d-flex justify-content-between align-items-center mb-1">
            <span id="quote-sign-label">{t('Draw your signature')}</span>
            <button className="btn btn-link btn-sm" id="sign_clean" type="button" onClick={() => pad.current?.clear()}>
              {t('Clear')}
            </button>
          </div>
          <canvas
            ref={canvas}
            className="quote-canvas"
            id="sign"
            role="img"
            aria-labelledby="quote-sign-label"
            tabIndex={0}
            width="600"
            height="200"
          />
          <p className="quote-panel-error small mb-0" role="alert" hidden={!wrong.sign}>
            {t('Sign in the box.')}
          </p>
        </div>
        <details className="small my-3">
          <summary>{t('I can’t draw my signature')}</summary>
          <Check
            wrap="form-check mt-2"
            label={t('Use my typed name as my signature')}
            name="typed"
            checked={isTyped}
            onChange={(checked) => {
              setTyped(checked);
              if (checked) clearSignError();
            }}
          />
        </details>
      </Dialog>
      <form ref={plain} method="post" action={url('/quote/accept/form')} hidden>
        <Token />
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </form>
    </>
  );
}
