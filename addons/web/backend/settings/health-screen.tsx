import { useSuspenseQuery } from '@tanstack/react-query';
import { plural, t } from 'pergola/browser';
import { Link } from 'react-router';
import { formatBytes, formatDay, formatDuration, formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { RefreshButton } from '../lib/refresh-button.tsx';
import { useStart } from '../lib/start.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type Health, settingsCalls } from './calls.ts';
import { CardTable, Moment, momentText } from './parts.tsx';

/** Health of the site: status, open issues and figures. */
export function HealthScreen() {
  const { user } = useStart();
  const { data, refetch, isFetching } = useSuspenseQuery({
    queryKey: ['health'],
    queryFn: () => settingsCalls.health({}),
  });
  return (
    <>
      <Crumbs current={t('System status')} />
      <div className="settings-tools">
        <RefreshButton isBusy={isFetching} onRefresh={refetch} />
      </div>
      <ul className="health-checks" aria-label={t('Checks')}>
        {checksOf(data, user).map(({ text, isWell, to }) => (
          <li key={text} className={isWell ? 'well' : 'ill'}>
            <Icon name={isWell ? 'check-circle' : 'exclamation-triangle'} />
            <span>
              <span className="visually-hidden">{isWell ? t('OK:') : t('Needs attention:')} </span>
              {text} {to && !isWell && <Link to={to}>{t('Details')}</Link>}
            </span>
          </li>
        ))}
      </ul>
      <Figures health={data} />
      <h2 className="h5">{t('Server processes')}</h2>
      {data.nodes.length === 0 ? (
        <p>{t('This process only; it isn’t part of a cluster.')}</p>
      ) : (
        <CardTable
          label={t('Server processes')}
          head={[t('Node'), t('Machine'), t('Started'), t('Version'), t('Status')]}
        >
          {data.nodes.map((node) => (
            <tr key={node.instance}>
              <td data-label={t('Node')}>{node.node}</td>
              <td data-label={t('Machine')}>
                {node.host} ({node.pid})
              </td>
              <td data-label={t('Started')}>
                <Moment iso={node.started} />
              </td>
              <td data-label={t('Version')}>{node.generation ?? '–'}</td>
              <td data-label={t('Status')}>{node.draining ? t('Stopping') : t('Running')}</td>
            </tr>
          ))}
        </CardTable>
      )}
    </>
  );
}

/** Status of the latest backup. */
function backupText(backup: Health['backup']): string {
  if (!backup) return t('This site has no backup.');
  const date = formatDay(backup.at.slice(0, 10));
  if (!backup.drill) return t('The backup from {date} hasn’t been restore-tested yet.', { date });
  return backup.drill.ok
    ? t('The restore test of the backup from {date} succeeded.', { date })
    : t('The restore test of the backup from {date} failed.', { date });
}

/** Names of the contents of a disk. */
function contentsText(holds: Disk['holds']): string {
  const names = { database: t('database'), files: t('files'), backups: t('backups') };
  return holds.map((content) => names[content]).join(', ');
}

type Disk = NonNullable<Health['vitals']>['disks'][number];
type Reader = Parameters<typeof momentText>[2];

function diskText({ holds, free, size, state }: Disk): string {
  const values = { contents: contentsText(holds), free: formatBytes(free), size: formatBytes(size) };
  if (state === 'full') return t('The disk is full ({contents}). Free up space: nothing can be saved.', values);
  return state === 'low'
    ? t('The disk is almost full ({contents}): {free} of {size} left. Free up space.', values)
    : t('The disk has {free} of {size} left ({contents}).', values);
}

/** Checks of disks, late jobs and stuck emails. */
function vitalChecks(vitals: Health['vitals'], reader: Reader) {
  if (!vitals) return [];
  const { disks, jobs, mail, breakers } = vitals;
  return [
    ...disks.map((disk) => ({ text: diskText(disk), isWell: disk.state === 'well', to: null })),
    ...(breakers ? [{ text: breakersText(breakers.open), isWell: breakers.open === 0, to: '/web/apps' }] : []),
    ...(jobs ? [{ text: jobsText(jobs, reader), isWell: jobs.overdue === 0, to: '/web/settings/jobs' }] : []),
    ...(mail ? [{ text: mailText(mail, reader), isWell: !isStuck(mail), to: '/web/settings/mails' }] : []),
  ];
}

function breakersText(open: number): string {
  return open === 0
    ? t('Every part of the apps is on.')
    : plural(
        '{n} part of an app is off because it keeps failing.',
        '{n} parts of apps are off because they keep failing.',
        open,
      );
}

function jobsText({ overdue, since }: JobVitals, reader: Reader): string {
  if (overdue === 0) return t('All jobs run on time.');
  const oldest = since ? momentText(since, reader.timezone, reader) : '';
  return plural('{n} job is overdue, since {since}.', '{n} jobs are overdue, the oldest since {since}.', overdue, {
    since: oldest,
  });
}

function mailText({ oldestWaiting, lastError }: MailVitals, reader: Reader): string {
  if (!isStuck({ oldestWaiting, lastError })) return t('No email is stuck.');
  const oldest = oldestWaiting ? momentText(oldestWaiting, reader.timezone, reader) : '';
  return lastError === null
    ? t('Email has been waiting since {oldest}.', { oldest })
    : t('Email has been waiting since {oldest}. The last error: {error}', { oldest, error: lastError });
}

function isStuck({ oldestWaiting }: MailVitals): boolean {
  return oldestWaiting !== null && Date.now() - Date.parse(oldestWaiting) > STUCK_MS;
}

type JobVitals = NonNullable<NonNullable<Health['vitals']>['jobs']>;
type MailVitals = NonNullable<NonNullable<Health['vitals']>['mail']>;

/** Emails waiting longer than this have failed, or no job sends them. */
const STUCK_MS = 15 * 60_000;

function checksOf(
  { database, mails, jobs, mail, nodes, generation, backup, overBudget, vitals }: Health,
  reader: Reader,
) {
  const outdatedCount = nodes.filter((node) => node.generation !== null && node.generation < generation).length;
  return [
    {
      text: database.well ? t('The database is responding.') : t('The database isn’t responding.'),
      isWell: database.well,
      to: null,
    },
    ...vitalChecks(vitals, reader),
    {
      text:
        jobs.dead === 0 ? t('No jobs have failed.') : plural('{n} job has failed.', '{n} jobs have failed.', jobs.dead),
      isWell: jobs.dead === 0,
      to: '/web/settings/jobs',
    },
    {
      text:
        mails.failed === 0
          ? t('No emails have failed.')
          : plural('{n} email has failed.', '{n} emails have failed.', mails.failed),
      isWell: mails.failed === 0,
      to: '/web/settings/mails',
    },
    {
      text:
        mail === 'smtp'
          ? t('A mail server is configured.')
          : t('No mail server is configured. Emails are held until you set one up.'),
      isWell: mail === 'smtp',
      to: '/web/settings/mail-server',
    },
    {
      text: backupText(backup),
      isWell: backup?.drill?.ok === true,
      to: '/web/settings/backups',
    },
    {
      text:
        overBudget === 0
          ? t('No app exceeds its budget.')
          : plural('{n} app exceeds its budget.', '{n} apps exceed their budgets.', overBudget),
      isWell: overBudget === 0,
      to: '/web/apps/costs',
    },
    {
      text:
        outdatedCount === 0
          ? t('All processes run the same version.')
          : plural('{n} process is out of date.', '{n} processes are out of date.', outdatedCount),
      isWell: outdatedCount === 0,
      to: null,
    },
  ];
}

function Figures({ health }: { health: Health }) {
  const { database, process, jobs, mails, generation, languages, production, files } = health;
  const { figures } = database;
  const rows: readonly (readonly [string, string])[] = [
    [t('Database'), database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
    [t('Mode'), production ? t('Production') : t('Development or test')],
    [t('Version'), formatNumber(generation)],
    [t('Languages'), languages.join(', ')],
    [t('Uptime'), durationText(process.upSeconds)],
    [
      t('Files'),
      files.most === null
        ? formatBytes(files.used)
        : t('{used} of {most}', { used: formatBytes(files.used), most: formatBytes(files.most) }),
    ],
    [t('Memory'), formatBytes(process.memory)],
    [t('Node.js'), process.runtime],
    [t('Reads'), formatNumber(figures.reads)],
    [t('Writes'), formatNumber(figures.writes)],
    [t('Failed writes'), formatNumber(figures.writesFailed)],
    [t('Retried writes'), formatNumber(figures.retries)],
    [t('Rejected requests'), formatNumber(figures.unavailable)],
    [t('Connections'), formatNumber(figures.connections)],
    [t('Jobs waiting'), formatNumber(jobs.waiting)],
    [t('Queued emails'), formatNumber(mails.waiting)],
  ];
  return (
    <dl className="health-figures">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The two largest units: `3 minutes`, `2 hours, 0 minutes`, `1 day, 5 hours`. */
function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${formatDuration(days, 'day')}, ${formatDuration(hours % 24, 'hour')}`;
  return hours > 0
    ? `${formatDuration(hours, 'hour')}, ${formatDuration(minutes % 60, 'minute')}`
    : formatDuration(minutes, 'minute');
}
