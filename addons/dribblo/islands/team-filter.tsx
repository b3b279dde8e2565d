import { Html } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { useCall } from 'pergola/islands';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import type { weekList } from '../blocks/week.ts';
import type schema from './team-filter.props.ts';

/** Filters this week's matches by team; without JavaScript the form leads to the match page. */
export default function TeamFilter({ days, teams, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const [html, setHtml] = useState<string | null>(null);
  const { call, pending } = useCall<typeof weekList>();
  const select = useRef<HTMLSelectElement>(null);
  const show = (team: string): void => {
    const teamIds = team === '' ? teams.map(({ id }) => id) : [Number(team)];
    call('/matchs/get_for_week', { teams: teamIds, list: true }, { done: setHtml });
  };
  // A team may be selected before hydration, or restored by the browser.
  const showChosen = useEffectEvent(() => {
    if (select.current?.value) show(select.current.value);
  });
  useEffect(() => showChosen(), []);
  return (
    <>
      <div className="club-head">
        <h2 className="club-title">
          {t('This week')} <small>{days}</small>
        </h2>
        <form className="js_team_filter club-filter" method="get" action={url('/matchs')}>
          <select
            ref={select}
            className="form-select form-select-sm"
            aria-label={t('Team')}
            name="team"
            onChange={(event) => show(event.target.value)}
          >
            <option value="">{t('All teams')}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>{' '}
          <button className="btn btn-sm btn-outline-secondary" type="submit">
            {t('Show')}
          </button>
        </form>
      </div>
      <div data-slot="week-matches" aria-busy={pending || undefined}>
        <Html html={html}>{children}</Html>
      </div>
    </>
  );
}
