import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { notify, plural, t } from 'pergola/browser';
import { useDeferredValue, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { SearchBox } from '../lib/search-box.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type AppCard, type Apps, appKeys, fetchApps, MESSAGE_KEY, retryApp, switchOnApp } from './calls.ts';
import { ProblemList } from './problem-list.tsx';
import { useSwitch } from './use-switch.ts';

type State = AppCard['state'] | 'all' | 'upgrade';

/** Lists every addon with its description, status and available actions. */
export function AppsScreen() {
  const { data } = useSuspenseQuery({ queryKey: appKeys.list, queryFn: fetchApps });
  const [query, setQuery] = useSearchParams();
  const [text, setText] = useState(query.get('q') ?? '');
  const state = (query.get('state') ?? 'all') as State;
  const [message] = useState(takeMessage);
  const categories = filterApps(data, useDeferredValue(text), state);
  const count = categories.reduce((sum, { cards }) => sum + cards.length, 0);
  return (
    <div className="apps" data-slot="apps">
      <div className="backend-head">
        <Crumbs current={t('Apps')} />
        <div className="backend-head-tools">
          <Link className="btn btn-outline-secondary" to="/web/apps/costs">
            <Icon name="bar-chart" /> {t('Costs')}
          </Link>
          <Link className="btn btn-outline-secondary" to="/web/apps/history">
            <Icon name="clock-history" /> {t('History')}
          </Link>
        </div>
      </div>
      <search className="apps-tools">
        <SearchBox label={t('Search apps')} placeholder={t('Search')} value={text} onChange={setText} />
        <StateFilter
          data={data}
          state={state}
          onChange={(next) => setQuery(next === 'all' ? {} : { state: next }, { replace: true })}
        />
      </search>
      {message && (
        <p className="alert alert-success" role="status">
          {message}
        </p>
      )}
      {data.running && (
        <p className="alert alert-info" role="status">
          {t('An app change is in progress:')} <span translate="no">{data.running.note}</span>
        </p>
      )}
      <OffNotice data={data} />
      <p className="visually-hidden" role="status">
        {plural('{n} app', '{n} apps', count)}
      </p>
      {count === 0 && <p className="lead">{t('No app matches your search.')}</p>}
      {categories.map(({ category, cards }) => (
        <section key={category} className="apps-group" aria-label={category} data-slot="apps-group">
          <h2 className="h5">{category}</h2>
          <ul className="apps-grid">
            {cards.map((card) => (
              <Card key={card.name} card={card} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Returns the message of the switch that reloaded the page, and clears it so that it is shown only once. */
function takeMessage(): string {
  const note = sessionStorage.getItem(MESSAGE_KEY) ?? '';
  sessionStorage.removeItem(MESSAGE_KEY);
  return note;
}

/** Names the apps with parts that are off. */
function OffNotice({ data }: { data: Apps }) {
  const cards = data.categories.flatMap(({ cards: apps }) => apps.filter(({ off }) => off.length > 0));
  if (cards.length === 0) return null;
  const count = cards.reduce((sum, { off }) => sum + off.length, 0);
  return (
    <p className="alert alert-warning" role="status">
      {plural(
        '{n} part of your apps is off because it keeps failing. Pages are shown without it:',
        '{n} parts of your apps are off because they keep failing. Pages are shown without them:',
        count,
      )}{' '}
      {cards.map(({ title }) => title).join(', ')}
    </p>
  );
}

function StateFilter({ data, state, onChange }: { data: Apps; state: State; onChange(state: State): void }) {
  const cards = data.categories.flatMap(({ cards: apps }) => apps);
  const choices: readonly (readonly [State, string])[] = [
    ['all', t('All')],
    ['enabled', t('apps\u0004Enabled')],
    ['disabled', t('apps\u0004Disabled')],
    ['uninstalled', t('apps\u0004Not installed')],
    ['upgrade', t('To upgrade')],
    ['broken', t('Broken')],
  ];
  return (
    <fieldset className="apps-states" aria-label={t('Show')}>
      {choices.map(([choice, label]) => {
        const count = cards.filter((card) => isIn(card, choice)).length;
        if (count === 0 && choice !== state && choice !== 'all') return null;
        return (
          <button
            key={choice}
            type="button"
            className={`btn btn-sm btn-outline-secondary${choice === state ? ' active' : ''}`}
            aria-pressed={choice === state}
            onClick={() => onChange(choice)}
          >
            {label} <span className="apps-count">{formatNumber(count)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

function isIn({ state, actions }: AppCard, filter: State): boolean {
  if (filter === 'upgrade') return actions.some(({ action }) => action === 'upgrade');
  return filter === 'all' || state === filter;
}

function filterApps({ categories }: Apps, text: string, state: State): Apps['categories'] {
  const query = normalize(text);
  return categories
    .map(({ category, cards }) => ({
      category,
      cards: cards.filter(
        (card) =>
          isIn(card, state) && normalize(`${card.name} ${card.title} ${card.summary} ${card.category}`).includes(query),
      ),
    }))
    .filter(({ cards }) => cards.length > 0);
}

function normalize(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
}

function Card({ card }: { card: AppCard }) {
  const { name, title, summary, icon, state, stateText, version, problems, off, actions, permanent, outside, retry } =
    card;
  return (
    <li className={`card app-card app-${state}`} data-app={name}>
      <div className="card-body">
        <div className="app-head">
          <span className="app-icon">
            <Icon name={icon} />
          </span>
          <div>
            <h3 className="app-title">{title}</h3>
            <p className="app-meta">
              <span className="app-state">{stateText}</span>{' '}
              {version && (
                <span className="text-body-secondary" translate="no">
                  {version}
                </span>
              )}
              {outside && <span className="tag">{t('External')}</span>}
            </p>
          </div>
        </div>
        <p className="app-summary">{summary}</p>
        {state !== 'broken' && (
          <p className="app-sheet-link">
            <Link to={`/web/apps/${name}/sheet`} aria-label={t('What {title} can do', { title })}>
              {t('What it can do')}
            </Link>
          </p>
        )}
        {off.length > 0 && <OffParts card={card} />}
        {problems.length > 0 && (
          <details className="app-problems" open={state === 'broken'}>
            <summary>
              <Icon name="exclamation-triangle" /> {plural('{n} problem', '{n} problems', problems.length)}
            </summary>
            <ProblemList problems={problems} />
          </details>
        )}
      </div>
      {(actions.length > 0 || permanent || retry) && (
        <div className="card-footer app-actions">
          {retry && (
            <RetryButton name={name} title={title} isEnabled={actions.some(({ action }) => action === 'disable')} />
          )}
          {actions.map(({ action, text, primary }) => (
            <Link
              key={action}
              className={`btn btn-sm ${primary ? 'btn-primary' : 'btn-outline-secondary'}`}
              to={`/web/apps/${name}/${action}`}
              aria-label={t('{action}: {name}', { action: text, name: title })}
            >
              {text}
            </Link>
          ))}
          {actions.length === 0 && permanent && <small className="text-body-secondary">{t('Always enabled')}</small>}
        </div>
      )}
    </li>
  );
}

/** Lists the parts of an app that are off, with a button that switches them on again. */
function OffParts({ card: { name, title, off } }: { card: AppCard }) {
  const client = useQueryClient();
  const switchOn = useMutation({
    mutationFn: () => switchOnApp(name),
    onSuccess: async () => {
      notify(t('All parts of {title} are on. One that fails again is switched off again.', { title }));
      await client.invalidateQueries({ queryKey: appKeys.list });
    },
  });
  return (
    <div className="app-problems">
      <details>
        <summary>
          <Icon name="exclamation-triangle" /> {plural('{n} part is off', '{n} parts are off', off.length)}
        </summary>
        <ul>
          {off.map(({ text, fault }) => (
            <li key={text}>
              {text} <span translate="no">{fault}</span>
            </li>
          ))}
        </ul>
      </details>
      <TryAgain
        className="btn-outline-secondary mt-2"
        title={title}
        busy={switchOn.isPending}
        onClick={() => switchOn.mutate()}
      />
    </div>
  );
}

/** Retries a broken addon, whose fault may have been fixed in the meantime. */
function RetryButton({ name, title, isEnabled }: { name: string; title: string; isEnabled: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const run = useSwitch(name);
  const retry = useMutation({
    mutationFn: async () => {
      const outcome = await retryApp(name);
      return outcome.kind === 'running' ? run.follow(outcome.after) : outcome.kind;
    },
    onSuccess: async (outcome) => {
      if (outcome === 'review') return navigate(`/web/apps/${name}/enable`);
      const works = t('{title} is working again.', { title });
      if (outcome === 'done' && isEnabled) {
        // The addon's menus and screens are available again: reloads the page, which then shows the message.
        sessionStorage.setItem(MESSAGE_KEY, works);
        location.reload();
        return;
      }
      if (outcome === 'done') notify(works);
      else notify(t('{title} is still broken. See its card for the cause.', { title }), 'alert');
      await client.invalidateQueries({ queryKey: appKeys.list });
    },
  });
  return <TryAgain className="btn-primary" title={title} busy={retry.isPending} onClick={() => retry.mutate()} />;
}

function TryAgain({
  className,
  title,
  busy,
  onClick,
}: {
  className: string;
  title: string;
  busy: boolean;
  onClick(): void;
}) {
  return (
    <BusyButton
      type="button"
      className={`btn btn-sm ${className}`}
      busy={busy}
      onClick={onClick}
      aria-label={t('{action}: {name}', { action: t('Try again'), name: title })}
    >
      <Icon name="arrow-clockwise" /> {t('Try again')}
    </BusyButton>
  );
}
