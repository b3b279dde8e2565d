import { Field, Html, Icon, SelectField } from '@pergola/website/kit';
import { Combobox } from '@pergola/website/kit-combobox';
import left from 'bootstrap-icons/icons/chevron-left.svg';
import right from 'bootstrap-icons/icons/chevron-right.svg';
import { type CallResult, isPlainClick, rpc, t, url } from 'pergola/browser';
import { useCall } from 'pergola/islands';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import type { z } from 'zod';
import type { ofCategory, ofPlayer, ofWeek, suggestions } from '../routes/calls.ts';
import type schema from './match-week.props.ts';
import { useAddress } from './parts/use-address.ts';

type Props = z.infer<typeof schema>;
/** Filters in the URL. */
type Filters = Pick<Props['first'], 'week' | 'team' | 'categ' | 'player' | 'name'>;

type Player = CallResult<typeof suggestions>[number];

/** Minimum number of characters for player suggestions. */
const LETTERS = 2;

/** Week view with navigation, filters that apply immediately, and player suggestions. */
export default function MatchWeek({ first, categories, teams, children }: Props & { children?: ReactNode }) {
  const [displayed, setDisplayed] = useState<Props['first'] & { html?: string }>(first);
  // Values of the form fields, which may be ahead of the displayed matches.
  const [fields, setFields] = useState<Filters>(first);
  const { call, pending } = useCall<typeof ofWeek | typeof ofPlayer | typeof ofCategory>();
  const previous = useRef<HTMLAnchorElement>(null);
  const suggested = useRef<readonly Player[]>([]);

  /** Falls back to loading the page if the call fails. */
  const show = (filters: Filters, then?: () => void): void => {
    setFields(filters);
    const { week, team, categ, player, name } = filters;
    // Only the page can resolve a name without an ID.
    if (name !== '' && player === null) {
      reloadWith(filters);
      return;
    }
    const path =
      player !== null ? '/search/player/matchs/week' : categ !== null ? '/search/categ/matchs/week' : '/matchs/week';
    call(
      path,
      { week, team_id: team, teams: [], player, categ, name, markup: true },
      {
        done({ page }) {
          if (!page) return reloadWith(filters);
          setDisplayed(page);
          setFields(page);
          then?.();
        },
        failed: () => reloadWith(filters),
      },
    );
  };
  const setAddress = useAddress((query) => show(filtersFrom(query)));
  const go = (filters: Filters): void => show(filters, () => setAddress(addressOf(filters)));
  const search = (more: Partial<Filters> = {}): void => {
    const name = fields.name.trim();
    const namesakes = suggested.current.filter((player) => player.name === name);
    const playerId = namesakes.length === 1 ? namesakes[0]?.id : undefined;
    const player = playerId ?? (name === displayed.name ? displayed.player : null);
    go({ ...fields, week: displayed.week, name, player, ...more });
  };
  /** No link at the first or last week. */
  const turn = (week: number | null) =>
    week !== null && {
      href: addressOf({ ...displayed, week }),
      onClick: (event: MouseEvent<HTMLElement>): void => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        // The link to the current week disappears once it is shown, so the focus moves.
        if (event.currentTarget.dataset.turn === 'present') previous.current?.focus();
        go({ ...displayed, week });
      },
    };
  const select = (name: 'categ' | 'team', label: string, choices: Props['teams'], all: string) => (
    <SelectField
      id={`club-${name}`}
      wrap=""
      className={`form-select ${name === 'team' ? 'js_team' : 'js_category'}`}
      label={label}
      name={name}
      value={String(fields[name] ?? '')}
      onChange={(value) => search({ [name]: numberIn(value) })}
      choices={[
        { value: '', label: all },
        ...choices.map((choice) => ({ value: String(choice.value), label: choice.name })),
      ]}
    />
  );
  const isNarrowed =
    displayed.team !== null || displayed.categ !== null || displayed.player !== null || displayed.name !== '';
  return (
    <>
      <nav className="club-week-nav" aria-label={t('Weeks')} data-slot="week-nav" data-week={displayed.week}>
        <a
          className="btn btn-outline-primary js_week"
          data-turn="previous"
          ref={previous}
          {...turn(displayed.previous)}
          rel="nofollow prev"
        >
          <Icon of={left} /> <span>{t('Previous week')}</span>
        </a>
        <p className="club-week-label" data-slot="week-label">
          <b>{displayed.label}</b> <span>{displayed.days}</span>{' '}
          {displayed.week !== 0 && (
            <a className="btn btn-sm btn-outline-secondary js_week" data-turn="present" {...turn(0)} rel="nofollow">
              {t('This week')}
            </a>
          )}
        </p>
        <a className="btn btn-outline-primary js_week" data-turn="next" {...turn(displayed.next)} rel="nofollow next">
          <span>{t('Next week')}</span> <Icon of={right} />
        </a>
      </nav>
      <details className="club-search-fold" open={isNarrowed || undefined}>
        <summary className="btn btn-outline-secondary">{t('Filter')}</summary>
        {/* biome-ignore lint/a11y/useSemanticElements: it is a form first */}
        <form
          className="club-search"
          method="get"
          action={url('/matchs')}
          role="search"
          data-slot="match-search"
          onSubmit={(event) => {
            event.preventDefault();
            search();
          }}
        >
          <input type="hidden" name="week" value={displayed.week} />
          <Field id="club-player" wrap="" className="form-control js_player" label={t('Player')}>
            {(control) => (
              <Combobox
                {...control}
                aria-labelledby="club-player-label"
                name="name"
                type="search"
                maxLength={100}
                value={fields.name}
                label={t('Suggestions')}
                none={t('No player with that name.')}
                onChange={(name) => setFields({ ...fields, name })}
                suggest={async (text) => {
                  const players = await suggest(text.trim());
                  suggested.current = players ?? [];
                  return players;
                }}
                textOf={({ name }: Player) => name}
                onSelect={({ id, name }) => go({ ...fields, week: displayed.week, name, player: id })}
              />
            )}
          </Field>
          {select('categ', t('Category'), categories, t('All categories'))}
          {select('team', t('Team'), teams, t('All teams'))}
          <div className="club-search-send">
            <button className="btn btn-primary" type="submit">
              {t('Search')}
            </button>{' '}
            <a
              className="btn btn-outline-secondary js_clear"
              href={`${url('/matchs')}?week=${displayed.week}`}
              hidden={!isNarrowed}
            >
              {t('Clear')}
            </a>
          </div>
        </form>
      </details>
      <div data-slot="week-matches" aria-live="polite" aria-busy={pending || undefined}>
        <Html html={displayed.html ?? null}>{children}</Html>
      </div>
    </>
  );
}

const suggest = async (keyword: string): Promise<readonly Player[] | null> =>
  keyword.length < LETTERS ? null : rpc<typeof suggestions>('/matchs/search/conv', { keyword });

const numberIn = (text: string | null): number | null => (text ? Number(text) : null);

function filtersFrom(query: URLSearchParams): Filters {
  const [team, categ, player] = ['team', 'categ', 'player'].map((name) => numberIn(query.get(name)));
  return {
    week: Number(query.get('week') ?? 0),
    team: team ?? null,
    categ: categ ?? null,
    player: player ?? null,
    name: query.get('name') ?? '',
  };
}

/** The current week needs no parameter. */
function addressOf({ week, team, categ, player, name }: Filters): string {
  const parts = Object.entries({ week: week || null, team, categ, player, name });
  const activeParts = parts.filter(([, value]) => value !== null && value !== '');
  const query = new URLSearchParams(activeParts.map(([key, value]) => [key, String(value)]));
  return url('/matchs') + (query.size === 0 ? '' : `?${query}`);
}

function reloadWith(filters: Filters): true {
  location.assign(addressOf(filters));
  return true;
}
