import { Group } from '@pergola/base';
import { extend, type FieldsOf, f, type Ids, InvalidInput, type Values } from 'pergola';
import { endUnprotected, needsStep } from '../services/second-step.ts';

/** Adds the requirement of a second factor to groups. */
export const KeyGroup = extend(
  Group,
  {
    second_step: f.boolean({
      label: 'Must use a second step',
      help: 'Members, and those of groups that imply this one, set up an authenticator app or a passkey before anything else.',
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
          throw new InvalidInput('Set up a second step for yourself first: you are in this group.', {
            code: 'auth.own_step_first',
          });
        await endUnprotected(ctx);
      }
    },
);
