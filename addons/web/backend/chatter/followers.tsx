import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { Field } from '../../kit/field.tsx';
import { RecordPicker } from '../fields/record-picker.tsx';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { setFollowing, type ThreadOf, type ThreadView } from './calls.ts';

/** Follow button with the number and names of the followers. */
export function FollowBar({
  thread,
  view,
  onChanged,
}: {
  thread: ThreadOf;
  view: ThreadView;
  onChanged(): Promise<void>;
}) {
  const change = useMutation({
    mutationFn: ({ on, partners }: { on: boolean; partners?: readonly number[] }) => setFollowing(thread, on, partners),
    onSettled: onChanged,
  });
  const { following, followers, may } = view;
  return (
    <div className="chatter-follow">
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        aria-pressed={following}
        disabled={change.isPending}
        onClick={() => change.mutate({ on: !following })}
      >
        <Icon name={following ? 'bell-fill' : 'bell'} /> {following ? t('Following') : t('Follow')}
      </button>
      <MenuButton
        label={
          <>
            <Icon name="people" /> {formatNumber(followers.length)}
            <span className="visually-hidden"> {t('followers')}</span>
          </>
        }
        end
        keep
        slot="followers"
      >
        <div className="chatter-followers">
          {followers.length === 0 && <p className="mb-2">{t('No followers yet.')}</p>}
          <ul>
            {followers.map(({ partnerId, name, me }) => (
              <li key={partnerId}>
                <span>
                  {name}
                  {me && <small className="text-body-secondary"> ({t('you')})</small>}
                </span>
                {(may.write || me) && (
                  <button
                    type="button"
                    className="btn btn-sm btn-icon"
                    aria-label={t('Remove {name}', { name })}
                    title={t('Remove')}
                    disabled={change.isPending}
                    onClick={() => change.mutate({ on: false, partners: [partnerId] })}
                  >
                    <Icon name="x-lg" />
                  </button>
                )}
              </li>
            ))}
          </ul>
          {may.write && (
            <Field
              wrap=""
              className="form-control form-control-sm"
              labelClass="form-label small mb-1"
              label={t('Add a follower')}
            >
              {(input) => (
                <RecordPicker
                  model="res.partner"
                  domain={[['email', '!=', false]]}
                  excludedIds={followers.map(({ partnerId }) => partnerId)}
                  displayText=""
                  label={t('Contacts')}
                  input={input}
                  onPick={([partner]) => change.mutate({ on: true, partners: [partner] })}
                />
              )}
            </Field>
          )}
        </div>
      </MenuButton>
    </div>
  );
}
