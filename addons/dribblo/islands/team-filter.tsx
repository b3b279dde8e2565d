import { type ReactNode, useEffect, useState } from 'react';
import type { z } from 'zod';
import { Html } from '#addons/website/kit';
import { notify, RpcError, rpc, t, url } from '#core/browser';
import type schema from './team-filter.props.ts';

/** Shows this week's matches of the chosen team at once; without scripts the form leads to the page of matches. */
export default function TeamFilter({ days, teams, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const [html, setHtml] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAwake, wake] = useState(false);
  useEffect(() => wake(true), []);
  const show = async (team: string): Promise<void> => {
    setBusy(true);
    try {
      const chosen = team === '' ? teams.map(({ id }) => id) : [Number(team)];
      setHtml(await rpc<string>('/matchs/get_for_week', { teams: chosen, list: true }));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      notify(error.message, 'alert');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className="club-head">
        <h2 className="club-title">
          {t('This week')} <small>{days}</small>
        </h2>
        <form className="js_team_filter club-filter" method="get" action={url('/matchs')}>
          <label className="visually-hidden" htmlFor="club-week-team">
            {t('Team')}
          </label>
          <select
            className="form-select form-select-sm"
            id="club-week-team"
            name="team"
            onChange={(event) => void show(event.target.value)}
          >
            <option value="">{t('All teams')}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>{' '}
          <button className="btn btn-sm btn-outline-secondary" type="submit" hidden={isAwake}>
            {t('Show')}
          </button>
        </form>
      </div>
      <div data-slot="week-matches" aria-busy={isBusy || undefined}>
        {html === null ? children : <Html html={html} />}
      </div>
    </>
  );
}
