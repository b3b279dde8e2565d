import { TextField } from '@pergola/web/kit';
import { startRegistration } from '@simplewebauthn/browser';
import { type CallResult, rpc, t } from 'pergola/browser';
import { type SubmitEvent, useState } from 'react';
import type { z } from 'zod';
import type { register } from '../routes/passkeys.ts';
import { usePasskeys } from './parts/use-passkeys.ts';
import type schema from './passkey-add.props.ts';

type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Registration = CallResult<typeof register>;

/** Registers a passkey with the browser, and shows the recovery codes created with the first one. */
export default function PasskeyAdd({ name }: z.infer<typeof schema>) {
  const { isSupported, busy, run } = usePasskeys();
  const [created, setCreated] = useState<Registration | null>(null);
  if (created) return <Codes {...created} />;
  if (!isSupported) return <p className="text-body-secondary">{t('This browser doesn’t support passkeys.')}</p>;
  const add = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const passkeyName = String(new FormData(event.currentTarget).get('name') ?? '').trim() || name;
    void run(async () => {
      const optionsJSON = await rpc('/web/passkeys/options');
      const response = await startRegistration({ optionsJSON: optionsJSON as Options });
      const answer = await rpc<typeof register>('/web/passkeys/register', { name: passkeyName, response });
      if (!answer.kept) return t('The passkey wasn’t saved. Reload the page and try again.');
      if (answer.codes.length > 0) setCreated(answer);
      else location.assign(answer.to);
      return null;
    });
  };
  return (
    <form onSubmit={add}>
      <TextField
        id="passkey-name"
        label={t('Name')}
        help={t('The device or password manager that stores it.')}
        name="name"
        defaultValue={name}
        maxLength={80}
        required
      />
      <button type="submit" className="btn btn-primary" disabled={busy} aria-busy={busy}>
        {t('Add a passkey')}
      </button>
      <noscript>
        <p className="form-text">{t('This requires JavaScript.')}</p>
      </noscript>
    </form>
  );
}

function Codes({ codes, to }: Registration) {
  return (
    <div role="status">
      <p className="alert alert-warning">
        {t(
          'Your passkey is saved. Write down these recovery codes: each one lets you sign in once if you lose your passkeys. They won’t be shown again.',
        )}
      </p>
      <ul className="keys-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <a className="btn btn-primary" href={to}>
        {t('I’ve saved them')}
      </a>
    </div>
  );
}
