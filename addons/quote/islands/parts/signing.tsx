import { BusyButton } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { Token, useAction } from 'pergola/islands';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
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
  const dialog = useRef<HTMLDialogElement>(null);
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
  useEffect(() => dialog.current?.showModal(), []);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const isEmpty = pad.current?.isEmpty() ?? true;
    const name = signer.trim();
    setWrong({ signer: name === '', sign: isEmpty && !isTyped });
    const wanting = name === '' ? field : isEmpty && !isTyped ? canvas : null;
    wanting?.current?.focus();
    if (wanting || accepting.pending || isSent) return;
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
    <dialog
      ref={dialog}
      className="quote-dialog"
      id="modelaccept"
      aria-labelledby="modelaccept-title"
      onClose={onClose}
    >
      <form className="js_accept_json" method="dialog" noValidate onSubmit={send}>
        <h2 className="h4 mb-3" id="modelaccept-title">
          {t('Accept and sign')}
        </h2>
        <p>{t('I accept quotation {reference} for {total}, subject to its terms.', { reference, total: totalText })}</p>
        <div className={`mb-3${wrong.signer ? ' has-error' : ''}`} data-slot="quote-signer">
          <label className="form-label" htmlFor="quote-signer">
            {t('Your name')}
          </label>
          <input
            ref={field}
            className={`form-control${wrong.signer ? ' is-invalid' : ''}`}
            id="quote-signer"
            name="signer"
            type="text"
            autoComplete="name"
            maxLength={120}
            required
            aria-describedby="quote-signer-error"
            aria-invalid={wrong.signer}
            value={signer}
            onChange={({ target: { value } }) => {
              setSigner(value);
              // Clears the error mark of a corrected field.
              if (value.trim() !== '') setWrong({ ...wrong, signer: false });
            }}
          />
          <p className="invalid-feedback" id="quote-signer-error">
            {t('Enter your name.')}
          </p>
        </div>
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
          <div className="form-check mt-2">
            <input
              className="form-check-input"
              type="checkbox"
              id="quote-typed-dialog"
              name="typed"
              checked={isTyped}
              onChange={({ target }) => {
                setTyped(target.checked);
                if (target.checked) clearSignError();
              }}
            />
            <label className="form-check-label" htmlFor="quote-typed-dialog">
              {t('Use my typed name as my signature')}
            </label>
          </div>
        </details>
        <div className="d-flex gap-2 justify-content-end flex-wrap">
          <button className="btn btn-outline-secondary" type="button" onClick={() => dialog.current?.close()}>
            {t('Cancel')}
          </button>
          <BusyButton busy={accepting.pending || isSent} data-submit="">
            {t('Accept and sign')}
          </BusyButton>
        </div>
      </form>
      <form ref={plain} method="post" action={url('/quote/accept/form')} hidden>
        <Token />
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </form>
    </dialog>
  );
}
