import { BusyButton, SelectField, useWindowEvent } from '@pergola/website/kit';
import { RpcError, sendForm, t, url } from 'pergola/browser';
import { ActionForm } from 'pergola/islands';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import { forget, keep, kept } from './parts/kept-scores.ts';
import { Stepper } from './parts/stepper.tsx';
import type schema from './score.props.ts';

type Props = z.infer<typeof schema>;

/** Milliseconds before a request counts as failed. */
const PATIENCE = 20_000;

/**
 * Result form for phones: large buttons count goals. Without a connection at the pitch, the input is stored on the phone and sent later.
 * Sending it twice is harmless, because the server ignores unchanged results.
 */
export default function Score({ mnbr, receiver, visitor, states, values: first, errors: wrong = {} }: Props) {
  const [values, setValues] = useState(first);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>(wrong);
  const [error, setError] = useState<RpcError | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const key = String(mnbr);
  const address = url(`/matchs/${mnbr}/result`);

  const storeAndNotify = (data: FormData, text: string): void => {
    const fields = Object.fromEntries([...data].map(([name, value]) => [name, String(value)]));
    delete fields.csrf_token;
    keep(key, { title: `${receiver.name} – ${visitor.name}`, fields });
    setNote(text);
  };
  const send = async (data: FormData): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { location: next } = await Promise.race([sendForm(address, data), timeout()]);
      forget(key);
      location.assign(next ?? address);
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) throw thrown;
      if (thrown.code === 409) {
        // Conflict: the submitted form shows the current result next to the user's input.
        forget(key);
        form.current?.closest('form')?.submit();
      } else if (thrown.code === 422) {
        forget(key);
        setErrors(thrown.fields);
        setError(thrown);
        setNote(thrown.message);
      } else if (thrown.code === 0) {
        storeAndNotify(
          data,
          t('You’re offline. The result is saved on this phone and will be sent when you’re back online.'),
        );
      } else {
        storeAndNotify(data, t('We couldn’t send the result. It’s saved on this phone.'));
      }
    } finally {
      setBusy(false);
    }
  };
  // Sends a stored result from the match page. The server detects conflicts.
  const sendKept = useEffectEvent(() => {
    const score = kept(key);
    const place = form.current?.closest('form');
    if (!score || !navigator.onLine || !place) return;
    setValues((now) => ({ ...now, ...score.fields }));
    const data = new FormData(place);
    for (const [name, value] of Object.entries(score.fields)) data.set(name, value);
    void send(data);
  });
  useEffect(() => sendKept(), []);
  useWindowEvent('online', () => sendKept());

  type Name = keyof typeof values;
  const change = (name: Name) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const stepper = (id: string, name: Name, team: Props['visitor'], withImage: boolean, problem = errors[name]) => (
    <Stepper
      id={id}
      name={name}
      label={team.name}
      image={withImage ? team.image : ''}
      value={values[name]}
      error={problem}
      onChange={change(name)}
    />
  );
  const shotError = errors.receiver_shot ?? errors.is_shot;
  const isExtra = Boolean(values.receiver_shot || values.forfeit_by || shotError || errors.forfeit_by);
  return (
    <ActionForm
      of={{ form: { action: address, submit: (data) => void send(data) }, error }}
      className="js_score club-score-form"
      data-mnbr={mnbr}
      noValidate
      aria-busy={isBusy || undefined}
    >
      <input type="hidden" name="seen" value={values.seen} />
      <div className="club-steppers" ref={form}>
        {stepper('club-receiver', 'receiver_res', receiver, true)}
        {stepper('club-visitor', 'visitor_res', visitor, true)}
      </div>
      <SelectField
        id="club-state"
        className="form-select form-select-lg"
        label={t('Status')}
        error={errors.state}
        name="state"
        value={values.state}
        onChange={change('state')}
        choices={states}
      />
      <details className="club-extra" open={isExtra || undefined}>
        <summary>{t('Shoot-out or forfeit')}</summary>
        <p className="form-text">{t('Shoot-out score, after a draw.')}</p>
        <div className="club-steppers">
          {stepper('club-receiver-shot', 'receiver_shot', receiver, false, shotError)}
          {stepper('club-visitor-shot', 'visitor_shot', visitor, false)}
        </div>
        <SelectField
          id="club-forfeit"
          wrap=""
          label={t('Forfeited by')}
          error={errors.forfeit_by}
          name="forfeit_by"
          value={values.forfeit_by}
          onChange={change('forfeit_by')}
          choices={[
            { value: '', label: '–' },
            { value: 'receiver', label: receiver.name },
            { value: 'visitor', label: visitor.name },
          ]}
        />
      </details>
      <BusyButton className="btn btn-primary btn-lg club-save" busy={isBusy}>
        {t('Save result')}
      </BusyButton>
      <p className={`js_score_status${note === null ? '' : ' alert alert-info mt-3'}`} role="status">
        {note}
      </p>
    </ActionForm>
  );
}

/** Treats a slow response as a lost connection. */
async function timeout(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, PATIENCE));
  throw new RpcError(0, '', '');
}
