import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { useState } from 'react';
import { Link } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { PageBar } from '../lib/page-bar.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type OpenSession, settingsCalls } from './calls.ts';
import { CardTable, Moment } from './parts.tsx';

const LIMIT = 50;

/** Active sessions of all users. Any session but the current one can be ended. */
export function SessionsScreen() {
  const client = useQueryClient();
  const [offset, setOffset] = useState(0);
  const query = { limit: LIMIT, offset };
  const { data } = useQuery({
    queryKey: ['sessions', query],
    queryFn: () => settingsCalls.sessions(query),
    placeholderData: keepPreviousData,
  });
  const end = useMutation({
    mutationFn: async (session: OpenSession) => {
      const question = t('Sign {name} out of {device}?', {
        name: session.name || session.login,
        device: session.agent,
      });
      if (!(await confirmDialog(question, { yes: t('Sign out') }))) return 0;
      return settingsCalls.endSessions({ numbers: [session.number] });
    },
    onSuccess: async (count) => {
      if (count > 0) notify(t('Signed out.'));
      await client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <>
      <Crumbs current={t('Sessions')} />
      {data && (
        <CardTable
          label={t('Sessions')}
          head={[t('User'), t('Device'), t('Address'), t('Signed in'), t('Last active'), t('Actions')]}
        >
          {data.sessions.map((session) => (
            <tr key={session.number}>
              <td data-label={t('User')}>
                <Link to={recordAddress('res.users', session.userId)}>{session.name || session.login}</Link>
              </td>
              <td data-label={t('Device')}>{session.agent}</td>
              <td data-label={t('Address')}>{session.ip}</td>
              <td data-label={t('Signed in')}>
                <Moment iso={session.createdAt} />
              </td>
              <td data-label={t('Last active')}>
                <Moment iso={session.seenAt} />
              </td>
              <td>
                {session.current ? (
                  <span className="tag">{t('Current')}</span>
                ) : (
                  <button
                    type="button"
                    className="btn btn-sm btn-outline-secondary"
                    disabled={end.isPending}
                    onClick={() => end.mutate(session)}
                    aria-label={t('{action}: {name}', { action: t('Sign out'), name: session.name || session.login })}
                  >
                    {t('Sign out')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </CardTable>
      )}
      {data && <PageBar limit={LIMIT} offset={offset} total={data.total} onGo={setOffset} />}
    </>
  );
}
