import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { useState } from 'react';
import { Link } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { PromptDialog } from '../../kit/prompt-dialog.tsx';
import { NumberBox } from '../fields/number-box.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { formatBytes, formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { fieldErrorsOf } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { Waiting } from '../shell/waiting.tsx';
import { type BackupInfo, type Backups, settingsCalls } from './calls.ts';
import { CardTable, Moment } from './parts.tsx';

const key = ['backups'];

/** Backups of the site: created manually or by schedule, downloaded, and restored for testing. */
export function BackupsScreen() {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => settingsCalls.backups({}),
    refetchInterval: ({ state }) =>
      state.data?.isMaking || state.data?.isTrying || state.data?.running ? 1_000 : false,
  });
  /** Action that waits for the password. */
  const [pendingAction, setPendingAction] = useState<(() => void) | null>(null);
  const show = (now: Backups): void => void client.setQueryData(key, now);
  const make = useMutation({ mutationFn: () => settingsCalls.makeBackup({}), onSuccess: show });
  const attempt = useMutation({ mutationFn: settingsCalls.tryBackup, onSuccess: show });
  const remove = useMutation({
    mutationFn: settingsCalls.deleteBackup,
    onSuccess: (now: Backups) => {
      show(now);
      notify(t('Backup deleted.'));
    },
  });
  if (!data) return <Waiting />;
  const { backups, isMaking, isTrying, running, failed } = data;
  /** Runs an action, after asking for the password unless the user has recently confirmed it. */
  const runProved = async (act: () => void): Promise<void> => {
    const { isProved } = await settingsCalls.backups({});
    if (isProved) act();
    else setPendingAction(() => act);
  };
  const isBusy = isMaking || running !== null;
  return (
    <>
      <Crumbs current={t('Backups')} />
      <p>
        {t(
          'A backup contains the whole site: every record and file, and password hashes. Store it where only you can access it. Run “npx pergola restore” to load it into an empty database.',
        )}
      </p>
      <div className="settings-tools">
        <button
          type="button"
          className="btn btn-primary"
          disabled={isBusy || make.isPending}
          onClick={() => void runProved(() => make.mutate())}
        >
          <Icon name="database" /> {t('Back up now')}
        </button>
        <div role="status" data-slot="backup-progress">
          {isBusy && <Progress running={running} last={backups[0]} />}
          {isTrying && t('Testing a restore…')}
        </div>
      </div>
      {failed !== null && !isBusy && (
        <p className="form-fault">
          {t('The last backup failed: {problem}', { problem: failed })}{' '}
          <Link to="/web/settings/jobs">{t('Open jobs')}</Link>
        </p>
      )}
      {backups.length === 0 && !isBusy && <p>{t('No backups yet.')}</p>}
      {backups.length > 0 && (
        <CardTable label={t('Backups')} head={[t('When'), t('Size'), t('Contents'), t('Restore tested'), t('Actions')]}>
          {backups.map((backup) => (
            <tr key={backup.name}>
              <td data-label={t('When')}>
                <Moment iso={backup.at} />
              </td>
              <td data-label={t('Size')}>{formatBytes(backup.size)}</td>
              <td data-label={t('Contents')}>
                {t('{rows} rows in {tables} tables, {files} files', {
                  rows: formatNumber(backup.rows),
                  tables: formatNumber(backup.tables),
                  files: formatNumber(backup.files),
                })}
                <details className="settings-error">
                  <summary>SHA-256</summary>
                  <code>{backup.sha256}</code>
                </details>
              </td>
              <td data-label={t('Restore tested')}>
                <Drill drill={backup.drill} />
              </td>
              <td>
                <span className="backup-acts">
                  <button
                    type="button"
                    className="btn btn-sm btn-outline-secondary"
                    onClick={() => void runProved(() => location.assign(`/web/backend/backups/${backup.name}`))}
                  >
                    <Icon name="download" /> {t('Download')}
                  </button>
                  <button
                    type="button"
                    className="btn btn-sm btn-outline-secondary"
                    disabled={isTrying || attempt.isPending}
                    onClick={() => attempt.mutate({ name: backup.name })}
                  >
                    <Icon name="arrow-counterclockwise" /> {t('Test restore')}
                  </button>
                  <button
                    type="button"
                    className="btn btn-sm btn-outline-secondary"
                    onClick={async () => {
                      const question = t('Delete this backup? This can’t be undone.');
                      if (await confirmDialog(question, { yes: t('Delete'), no: t('Go back') }))
                        void runProved(() => remove.mutate({ name: backup.name }));
                    }}
                  >
                    <Icon name="trash" /> {t('Delete')}
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </CardTable>
      )}
      <Schedule
        key={`${data.schedule} ${data.keep}`}
        backups={data}
        onSaved={() => client.invalidateQueries({ queryKey: key })}
      />
      {pendingAction && (
        <ConfirmDialog
          onClose={() => setPendingAction(null)}
          onConfirmed={() => {
            setPendingAction(null);
            pendingAction();
          }}
        />
      )}
    </>
  );
}

/** Progress of a backup, estimated from the size of the last one. */
function Progress({ running, last }: { running: Backups['running']; last: BackupInfo | undefined }) {
  const all = last ? last.rows + last.files : 0;
  const completed = running ? running.rows + running.files : 0;
  return (
    <span className="backup-progress">
      <progress
        max={Math.max(all, completed) || undefined}
        value={all > 0 && running ? completed : undefined}
        aria-label={t('Backing up…')}
      />{' '}
      {running && completed > 0
        ? t('{rows} rows, {files} files, {size}', {
            rows: formatNumber(running.rows),
            files: formatNumber(running.files),
            size: formatBytes(running.bytes),
          })
        : t('Backing up…')}
    </span>
  );
}

function Drill({ drill }: { drill: BackupInfo['drill'] }) {
  if (!drill) return <span className="text-body-secondary">{t('not yet')}</span>;
  const seconds = formatNumber(Math.max(0.1, Math.round(drill.ms / 100) / 10));
  return (
    <>
      <span className={`tag ${drill.ok ? 'choice-success' : 'choice-danger'}`}>
        {drill.ok ? t('complete, in {n} s', { n: seconds }) : t('failed')}
      </span>{' '}
      <Moment iso={drill.at} />
      {drill.problem && <small className="settings-error">{drill.problem}</small>}
    </>
  );
}

function Schedule({ backups, onSaved }: { backups: Backups; onSaved(): Promise<unknown> }) {
  const [schedule, setSchedule] = useState(backups.schedule);
  const [keep, setKeep] = useState<unknown>(backups.keep);
  const save = useMutation({
    mutationFn: () => settingsCalls.change({ values: { 'web.backup_schedule': schedule, 'web.backup_keep': keep } }),
    onSuccess: async () => {
      notify(t('Saved.'));
      await onSaved();
    },
  });
  const isDirty = schedule !== backups.schedule || keep !== backups.keep;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isUnreadable(keep)) save.mutate();
      }}
    >
      <fieldset className="settings-section mt-4">
        <legend>{t('Automatic backups')}</legend>
        <SelectField
          wrap="settings-row"
          label={t('When')}
          value={schedule}
          onChange={setSchedule}
          choices={[
            { value: 'never', label: t('Never') },
            { value: 'daily', label: t('Every night') },
            { value: 'weekly', label: t('Every week') },
          ]}
        />
        <Field wrap="settings-row" label={t('Backups to keep')}>
          {(control) => (
            <NumberBox {...control} required value={keep} input={{ places: 0 }} isFaulty={false} onChange={setKeep} />
          )}
        </Field>
        <p className="form-text">
          {t(
            'Runs at night and saves to the server’s data folder. Each backup gets a restore test. Each new backup replaces the oldest one once the limit is reached.',
          )}
        </p>
        <BusyButton className="btn btn-outline-secondary" disabled={!isDirty} busy={save.isPending}>
          {t('Save')}
        </BusyButton>
      </fieldset>
    </form>
  );
}

/** Asks for the password, in case someone else uses an open session. */
function ConfirmDialog({ onClose, onConfirmed }: { onClose(): void; onConfirmed(): void }) {
  const confirm = useMutation({
    mutationFn: settingsCalls.confirm,
    onSuccess: onConfirmed,
    meta: { hasFields: true },
  });
  return (
    <PromptDialog
      title={t('Confirm your identity')}
      label={t('Your password')}
      help={t('No password? Sign out and sign in again, then come back within ten minutes.')}
      error={fieldErrorsOf(confirm.error).password}
      type="password"
      autoComplete="current-password"
      maxLength={1024}
      busy={confirm.isPending}
      onAnswer={(password) => confirm.mutate({ password })}
      onClose={onClose}
    />
  );
}
