import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { notify, RpcError, t } from 'pergola/browser';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { NumberBox } from '../fields/number-box.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type MailServerInput, type ShownMailServer, settingsCalls } from './calls.ts';

const key = ['mail-server'];

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
  const report = useTrouble();
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
    onError: (error) => {
      if (error instanceof RpcError && Object.keys(error.fields).length > 0) setFaults(error.fields);
      else report(error);
    },
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
        <Row
          label={t('Host')}
          fault={faults.host}
          help={t('Example: smtp.example.org. Leave empty to hold emails in the outbox.')}
        >
          {(control) => (
            <input
              {...control}
              value={draft.host}
              maxLength={253}
              onChange={({ target }) => set({ host: target.value })}
            />
          )}
        </Row>
        <Row label={t('Port')} fault={faults.port}>
          {(control) => (
            <NumberBox
              {...control}
              value={draft.port}
              input={{ places: 0 }}
              isFaulty={faults.port !== undefined}
              onChange={(next) => set({ port: next })}
            />
          )}
        </Row>
        <Row label={t('Encryption')}>
          {(control) => (
            <select
              {...control}
              className="form-select"
              value={draft.security}
              onChange={({ target }) => {
                const next = target.value === 'tls' || target.value === 'none' ? target.value : 'starttls';
                // Keeps a port that the user entered.
                const isUsual = draft.port === false || draft.port === defaultPorts[draft.security];
                set({ security: next, ...(isUsual ? { port: defaultPorts[next] } : {}) });
              }}
            >
              <option value="starttls">{t('STARTTLS (usual, port 587)')}</option>
              <option value="tls">{t('Implicit TLS (port 465)')}</option>
              <option value="none">{t('None (only on this machine or network)')}</option>
            </select>
          )}
        </Row>
        <Row label={t('User')}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={draft.user}
              maxLength={320}
              onChange={({ target }) => set({ user: target.value })}
            />
          )}
        </Row>
        <Row
          label={t('Password')}
          fault={faults.password}
          help={hasPassword ? t('A value is saved but hidden. Enter a new one to replace it.') : ''}
        >
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="new-password"
              value={draft.password ?? ''}
              maxLength={500}
              onChange={({ target }) => set({ password: target.value === '' ? null : target.value })}
            />
          )}
        </Row>
        <Row label={t('Sender')} fault={faults.from} help={t('Default: {sender}', { sender })}>
          {(control) => (
            <input
              {...control}
              type="email"
              value={draft.from}
              maxLength={320}
              onChange={({ target }) => set({ from: target.value })}
            />
          )}
        </Row>
      </fieldset>
      {!isFixed && (
        <p className="settings-foot">
          <button type="submit" className="btn btn-primary" disabled={!isDirty || save.isPending}>
            {t('Save')}
          </button>
        </p>
      )}
      <LeaveGuard isDirty={isDirty && !save.isPending} />
    </form>
  );
}

const defaultPorts = { starttls: 587, tls: 465, none: 25 } as const;

interface InputProps {
  readonly id: string;
  readonly className: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
}

function Row({
  label,
  help = '',
  fault = '',
  children,
}: {
  label: string;
  help?: string;
  fault?: string | undefined;
  children(about: InputProps): ReactNode;
}) {
  const id = useId();
  const described = [help ? `${id}-help` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ') || undefined;
  return (
    <div className="form-row settings-row">
      <div className="form-row-label">
        <label className="form-label" htmlFor={id}>
          {label}
        </label>
      </div>
      <div className="form-row-input">
        {children({
          id,
          className: `form-control${fault ? ' is-invalid' : ''}`,
          'aria-describedby': described,
          'aria-invalid': fault ? true : undefined,
        })}
        {fault && (
          <p className="form-fault" id={`${id}-fault`} role="alert">
            {fault}
          </p>
        )}
        {help && (
          <p className="form-text" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
    </div>
  );
}

/** Sends a test email at once and shows the server's reply. */
function Try() {
  const report = useTrouble();
  const [to, setTo] = useState('');
  const attempt = useMutation({ mutationFn: () => settingsCalls.tryMailServer({ to }), onError: report });
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
        <Row label={t('Send a test email to')}>
          {(control) => (
            <input {...control} type="email" required value={to} onChange={({ target }) => setTo(target.value)} />
          )}
        </Row>
        <p>
          <button type="submit" className="btn btn-outline-secondary" disabled={attempt.isPending}>
            {t('Send')}
          </button>
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
