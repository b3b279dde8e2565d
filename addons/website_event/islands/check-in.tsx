import { Field, Icon } from '@pergola/website/kit';
import scan from 'bootstrap-icons/icons/qr-code-scan.svg';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import type schema from './check-in.props.ts';
import { useCamera } from './parts/use-camera.ts';

/** Check-in form: a code read by the camera is submitted like a typed one. */
export default function CheckIn({ action }: z.infer<typeof schema>) {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { video, isThere, isOn, isRefused, toggle } = useCamera((code) => {
    if (field.current) field.current.value = code;
    form.current?.requestSubmit();
  });
  // Staff with a keyboard-wedge scanner can scan the next ticket right away.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <form className="event-door-code mb-3" method="post" action={url(action)} data-check-in="" ref={form}>
      <Token />
      <Field id="check-in-code" wrap="" label={t('Ticket code')}>
        {(control) => (
          <div className="input-group input-group-lg">
            <input
              {...control}
              name="code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={500}
              required
              ref={field}
            />
            <button className="btn btn-primary" type="submit">
              {t('Check in')}
            </button>
          </div>
        )}
      </Field>
      <button
        className="btn btn-outline-primary w-100 mt-2"
        type="button"
        data-scan=""
        hidden={!isThere}
        onClick={toggle}
      >
        <Icon of={scan} /> {t('Scan with the camera')}
      </button>
      <video
        className="event-door-video mt-2"
        ref={video}
        muted
        playsInline
        hidden={!isOn}
        aria-label={t('Camera image')}
      />
      <p className="form-text" role="status" data-scan-status="">
        {isRefused && t('The camera isn’t available. Type the code, or scan it with your phone’s camera app.')}
      </p>
    </form>
  );
}
