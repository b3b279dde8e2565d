import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Field, SelectField, TextField } from '../../kit/field.tsx';
import { NumberBox } from '../fields/number-box.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { fieldErrorsOf } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type MailServerInput, type ShownMailServer, settingsCalls } from './calls.ts';

const key = ['mail-server'];
const row = { wrap: 'settings-row' };

/** Shows, edits and tests the outgoing mail server. */
export function MailServerScreen() {
  const { data } = useSuspenseQuery({ queryKey: key, queryFn: () => settingsCalls.mailServer({}) });
  return (
    <>
      <Crumbs current={t('Mail server')} />
      <State server={data} />
      <ServerForm key={JSON.stringify(data)} server={data} />
      {data.source !== 'none' && <Try key={`tried ${JSON.stringify(data)}`} />}
    </>
  );
}

function State({ server: { source, sender } }: { server: ShownMailServer }) {
  if (source === 'none')
    return (
      <p data-slot="mail-state">
        {t('No mail server is configured. Emails are held until you set one up.')}{' '}
        <Link to="/web/settings/mails">{t('Open outbox')}</Link>
      </p>
    );
  return (
    <p data-slot="mail-state">
      {source === 'environment'
        ? t('Set by the SMTP_URL environment variable, which overrides these settings.')
        : t('Emails are sent through this server.')}{' '}
      {t('Sender: {sender}', { sender })}
    </p>
  );
}

interface Draft extends Omit<MailServerInput, 'port'> {
  /** A number, false if empty, or a text that isn't a number. */
  readonly port: unknown;
}

function ServerForm({ server }: { server: ShownMailServer }) {
  const client = useQueryClient();
  const { source, hasPassword, sender } = server;
  const isFixed = source === 'environment';
  const { host, port, security, user, from } = server;
  const saved: Draft = { host, port, security, user, from, password: null };
  const [draft, setDraft] = useState(saved);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved);
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const save = useMutation({
    mutationFn: () => settingsCalls.changeMailServer({ ...draft, port: Number(draft.port) }),
    onSuccess: (next) => {
      client.setQueryData(key, next);
      setFaults({});
      notify(t('Saved.'));
    },
    onError: (error) => setFaults(fieldErrorsOf(error)),
    meta: { hasFields: true },
  });
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!isUnreadable(draft.port)) save.mutate();
      }}
    >
      <fieldset className="settings-section" disabled={isFixed}>
        <legend>{t('Server')}</legend>
        <TextField
          {...row}
          label={t('Host')}
          error={faults.host}
          help={t('Example: smtp.example.org. Leave empty to hold emails in the outbox.')}
          value={draft.host}
          maxLength={253}
          onChange={(host) => set({ host })}
        />
        <Field {...row} label={t('Port')} error={faults.port}>
          {(control) => (
            <NumberBox
              {...control}
              value={draft.port}
              input={{ places: 0 }}
              isFaulty={faults.port !== undefined}
              onChange={(next) => set({ port: next })}
            />
          )}
        </Field>
        <SelectField
          {...row}
          label={t('Encryption')}
          value={draft.security}
          onChange={(security) => {
            // Keeps a port that the user entered.
            const isUsual = draft.port === false || draft.port === defaultPorts[draft.security];
            set({ security, ...(isUsual ? { port: defaultPorts[security] } : {}) });
          }}
          choices={[
            { value: 'starttls', label: t('STARTTLS (usual, port 587)') },
            { value: 'tls', label: t('Implicit TLS (port 465)') },
            { value: 'none', label: t('None (only on this machine or network)') },
          ]}
        />
        <TextField
          {...row}
          label={t('User')}
          autoComplete="off"
          value={draft.user}
          maxLength={320}
          onChange={(user) => set({ user })}
        />
        <TextField
          {...row}
          label={t('Password')}
          error={faults.password}
          help={hasPassword && t('A value is saved but hidden. Enter a new one to replace it.')}
          type="password"
          autoComplete="new-password"
          value={draft.password ?? ''}
          maxLength={500}
          onChange={(password) => set({ password: password || null })}
        />
        <TextField
          {...row}
          label={t('Sender')}
          error={faults.from}
          help={t('Default: {sender}', { sender })}
          type="email"
          value={draft.from}
          maxLength={320}
          onChange={(from) => set({ from })}
        />
      </fieldset>
      {!isFixed && (
        <p className="settings-foot">
          <BusyButton disabled={!isDirty} busy={save.isPending}>
            {t('Save')}
          </BusyButton>
        </p>
      )}
      <LeaveGuard isDirty={isDirty && !save.isPending} />
    </form>
  );
}

const defaultPorts = { starttls: 587, tls: 465, none: 25 } as const;

/** Sends a test email at once and shows the server's reply. */
function Try() {
  const [to, setTo] = useState('');
  const attempt = useMutation({ mutationFn: () => settingsCalls.tryMailServer({ to }) });
  const problem = attempt.data?.problem;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate();
      }}
    >
      <fieldset className="settings-section">
        <legend>{t('Test')}</legend>
        <TextField {...row} label={t('Send a test email to')} type="email" required value={to} onChange={setTo} />
        <p>
          <BusyButton className="btn btn-outline-secondary" busy={attempt.isPending}>
            {t('Send')}
          </BusyButton>
        </p>
        <div role="status" data-slot="mail-tried">
          {attempt.isSuccess &&
            (problem === null ? (
              <p>{t('The server accepted the email. Check that it arrives.')}</p>
            ) : (
              <p className="form-fault">{t('The email wasn’t sent: {problem}', { problem: problem ?? '' })}</p>
            ))}
        </div>
      </fieldset>
    </form>
  );
}
