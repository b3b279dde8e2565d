import { t } from 'pergola/browser';
import { Check } from '../../kit/field.tsx';
import { heldNotice } from '../lib/button-question.ts';
import { useStart } from '../lib/start.tsx';
import type { ThreadView } from './calls.ts';

/** Email recipients of a message: suggestions from the record, with checkboxes, and the followers. */
export function Recipients({
  view: { recipients, followers },
  ticks,
  onTick,
}: {
  view: ThreadView;
  ticks: ReadonlyMap<string, boolean>;
  onTick(email: string, on: boolean): void;
}) {
  const { keepsMails } = useStart();
  const isTicked = ({ email, ticked }: ThreadView['recipients'][number]): boolean => ticks.get(email) ?? ticked;
  const otherFollowers = followers.filter(({ me }) => !me);
  const isAlone = otherFollowers.length === 0 && !recipients.some(isTicked);
  return (
    <div className="chatter-recipients" data-slot="recipients">
      {recipients.length > 0 && (
        <fieldset>
          <legend className="visually-hidden">{t('Recipients')}</legend>
          {recipients.map((recipient) => (
            <Check
              key={recipient.email}
              checked={isTicked(recipient)}
              onChange={(on) => onTick(recipient.email, on)}
              label={
                <>
                  {recipient.name} <span className="text-body-secondary">{recipient.email}</span>
                </>
              }
            />
          ))}
        </fieldset>
      )}
      {otherFollowers.length > 0 && (
        <p className="mb-0">{t('Followers: {names}', { names: otherFollowers.map(({ name }) => name).join(', ') })}</p>
      )}
      {isAlone && (
        <p className="mb-0 text-warning-emphasis">
          {t('No one gets this message by email. Tick a recipient or add a follower.')}
        </p>
      )}
      {keepsMails && !isAlone && <p className="mb-0 text-warning-emphasis">{heldNotice()}</p>}
    </div>
  );
}
