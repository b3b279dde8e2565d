import { Group } from '@pergola/base';
import { extend, type FieldsOf, f, type Ids, InvalidInput, type Values } from 'pergola';
import { endUnprotected, needsStep } from '../services/second-step.ts';

/** Adds the requirement of a second factor to groups. */
export const KeyGroup = extend(
  Group,
  {
    second_step: f.boolean({
      label: 'Require two-factor authentication',
      help: 'Members of this group, and of groups that include it, must set up an authenticator app or a passkey before they can continue.',
      tracked: true,
    }),
  },
  (Base) =>
    class extends Base {
      override async afterWrite(ids: Ids, values: Values<FieldsOf<Group>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (!('second_step' in values || 'user_ids' in values)) return;
        const { ctx } = this;
        if ('second_step' in values && ctx.user.id !== null && (await needsStep(ctx, ctx.user.id)))
          throw new InvalidInput('You’re in this group. Set up two-factor authentication for yourself first.', {
            code: 'auth.own_step_first',
          });
        await endUnprotected(ctx);
      }
    },
);
