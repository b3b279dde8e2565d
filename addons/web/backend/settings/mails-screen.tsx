import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify, plural, t } from 'pergola/browser';
import { useDeferredValue, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Dialog } from '../../kit/dialog.tsx';
import { heldNotice } from '../lib/button-question.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { PageBar } from '../lib/page-bar.tsx';
import { SearchBox } from '../lib/search-box.tsx';
import { useStart } from '../lib/start.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type MailState, type OutboxMail, settingsCalls } from './calls.ts';
import { CardTable, Moment, StateTabs } from './parts.tsx';

const LIMIT = 50;
type Chosen = MailState | 'all';

function stateText(state: MailState): string {
  switch (state) {
    case 'waiting':
      return t('Queued');
    case 'sent':
      return t('Sent');
    case 'delivered':
      return t('Delivered');
    case 'kept':
      return t('Held (no mail server)');
    case 'bounced':
      return t('Bounced');
    case 'withdrawn':
      return t('Not sent (unsubscribed)');
    default:
      return t('Rejected');
  }
}

/** Tab selected in the address. */
function tabOf(state: string | null): Chosen {
  return state === 'failed' || state === 'kept' ? state : 'all';
}

/** Outbox: queued, sent and failed emails. Failed ones can be resent. */
export function MailsScreen() {
  const client = useQueryClient();
  const { keepsMails } = useStart();
  const [query] = useSearchParams();
  const [state, setState] = useState<Chosen>(tabOf(query.get('state')));
  const [text, setText] = useState('');
  const [offset, setOffset] = useState(0);
  const [opened, setOpened] = useState<number | null>(null);
  const search = useDeferredValue(text);
  const params = { limit: LIMIT, offset, search, ...(state === 'all' ? {} : { state }) };
  const { data } = useQuery({
    queryKey: ['outbox', params],
    queryFn: () => settingsCalls.outbox(params),
    placeholderData: keepPreviousData,
  });
  const retry = useMutation({
    mutationFn: (ids: readonly number[]) => settingsCalls.retryMails({ ids }),
    onSuccess: async (count) => {
      notify(plural('{n} email is queued again.', '{n} emails are queued again.', count));
      await client.invalidateQueries({ queryKey: ['outbox'] });
    },
  });
  const mails = data?.mails ?? [];
  // Without a mail server they would be held again.
  const canSend = ({ state }: OutboxMail): boolean => !keepsMails && (state === 'failed' || state === 'kept');
  const retryIds = mails.filter(canSend).map(({ id }) => id);
  const states = data?.states;
  const all = states ? Object.values(states).reduce((sum, count) => sum + count, 0) : 0;
  return (
    <>
      <Crumbs current={t('Outgoing emails')} />
      <div className="settings-tools">
        <SearchBox
          label={t('Search emails')}
          placeholder={t('Address, name or subject')}
          value={text}
          onChange={(next) => {
            setText(next);
            setOffset(0);
          }}
        />
        <StateTabs
          label={t('Show')}
          selected={state}
          onChoose={(next) => {
            setState(next);
            setOffset(0);
          }}
          choices={[
            { state: 'all' as Chosen, text: t('emails\u0004All'), count: all },
            ...(['waiting', 'sent', 'delivered', 'kept', 'failed', 'bounced', 'withdrawn'] as const).map(
              (mailState) => ({
                state: mailState as Chosen,
                text: stateText(mailState),
                count: states?.[mailState] ?? 0,
              }),
            ),
          ]}
        />
        {retryIds.length > 1 && (
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={retry.isPending}
            onClick={() => retry.mutate(retryIds)}
          >
            <Icon name="arrow-clockwise" /> {t('Resend these {n}', { n: formatNumber(retryIds.length) })}
          </button>
        )}
      </div>
      {keepsMails && <p className="text-warning-emphasis">{heldNotice()}</p>}
      {data && mails.length === 0 && <p>{t('No emails found.')}</p>}
      {mails.length > 0 && (
        <CardTable label={t('Outgoing emails')} head={[t('Subject'), t('To'), t('Status'), t('When'), t('Actions')]}>
          {mails.map((mail) => (
            <tr key={mail.id}>
              <td data-label={t('Subject')}>
                <button type="button" className="btn btn-link settings-open" onClick={() => setOpened(mail.id)}>
                  {mail.subject}
                </button>
              </td>
              <td data-label={t('To')}>
                {mail.recipient && <>{mail.recipient} </>}
                <span className="text-body-secondary">{mail.email}</span>
              </td>
              <td data-label={t('Status')}>
                <span className={`tag settings-state-${mail.state}`}>{stateText(mail.state)}</span>
                {mail.error && <small className="settings-error">{mail.error}</small>}
              </td>
              <td data-label={t('When')}>
                <Moment iso={mail.sentAt ?? mail.createdAt} />
              </td>
              <td>
                {canSend(mail) && (
                  <button
                    type="button"
                    className="btn btn-sm btn-outline-secondary"
                    disabled={retry.isPending}
                    onClick={() => retry.mutate([mail.id])}
                    aria-label={t('{action}: {name}', { action: t('Resend'), name: mail.subject })}
                  >
                    <Icon name="arrow-clockwise" /> {t('Resend')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </CardTable>
      )}
      {data && <PageBar limit={LIMIT} offset={offset} total={data.total} onGo={setOffset} />}
      {opened !== null && <MailDialog id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

/** Email as its recipient sees it, without scripts and external content. Its links open in a new tab. */
function MailDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { data } = useQuery({ queryKey: ['outbox', 'mail', id], queryFn: () => settingsCalls.mail({ id }) });
  const [asText, setAsText] = useState(false);
  if (!data) return null;
  const { subject, html, text } = data satisfies OutboxMail;
  return (
    <Dialog
      title={subject}
      onClose={onClose}
      wide
      slot="mail"
      foot={
        <button type="button" className="btn btn-outline-secondary" onClick={() => setAsText(!asText)}>
          {asText ? t('Show formatted') : t('Show plain text')}
        </button>
      }
    >
      {asText ? (
        <pre className="form-json">{text}</pre>
      ) : (
        <iframe
          className="settings-mail"
          title={subject}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={html}
        />
      )}
    </Dialog>
  );
}
