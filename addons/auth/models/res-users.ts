import { extend, type FieldsOf, f, type Id, type Ids, NotAllowed, type Values } from 'pergola';
import { User, type UserToken } from '#addons/base';
import { noteProof } from '#addons/web';
import { endUnprotected, hasStep, needsStep, SECOND, SETUP } from '../services/second-step.ts';
import { tellOwner } from '../services/tell-owner.ts';
import { Passkey } from './auth-passkey.ts';
import { RecoveryCode } from './auth-recovery-code.ts';
import { AccessToken } from './auth-token.ts';
import { Totp } from './auth-totp.ts';

/** Users sign in with more than a password where they have more, or must. */
export const KeyUser = extend(
  User,
  {
    has_second_step: f.boolean({
      compute: 'computeHasSecondStep',
      label: 'Has a second step',
      groups: 'base.group_erp_manager',
    }),
    token_count: f.integer({
      compute: 'computeTokenCount',
      label: 'Access tokens',
      groups: 'base.group_erp_manager',
      help: 'Programs sign in with them, also after the password was reset',
    }),
  },
  (Base) =>
    class extends Base {
      async computeHasSecondStep(ids: Ids): Promise<Map<Id, boolean>> {
        const found = new Map<Id, boolean>();
        for (const id of ids) found.set(id, await hasStep(this.ctx, id));
        return found;
      }

      async computeTokenCount(ids: Ids): Promise<Map<Id, number>> {
        const tokens = await this.ctx
          .sudo() // A number, for managers of users.
          .model(AccessToken)
          .find([['user_id', 'in', [...ids]]], { select: { user_id: true } });
        return new Map(ids.map((id) => [id, tokens.filter(({ user_id }) => user_id === id).length]));
      }

      override async accessTokens(id: Id): Promise<readonly UserToken[]> {
        const tokens = await this.ctx.model(AccessToken).find(
          [
            ['user_id', '=', id],
            ['expires', '>', this.ctx.now()],
          ],
          { select: { name: true, last_use: true } },
        );
        return [...(await super.accessTokens(id)), ...tokens.map((token) => ({ ...token, lastUse: token.last_use }))];
      }

      override async revokeTokens(id: Id): Promise<void> {
        await super.revokeTokens(id);
        const tokens = this.ctx.model(AccessToken);
        await tokens.unlink(await tokens.search([['user_id', '=', id]]));
      }

      /** Revokes all access tokens of users, for example after their password was reset. For managers of users who have all their rights. */
      async action_revoke_tokens(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You may not manage these users.', { code: 'auth.users_not_allowed' });
        await this.requireMayManage(ids);
        const users = this.ctx.sudo().model(User); // Managers of users have no rights on tokens.
        for (const id of ids) await users.revokeTokens(id);
        return true;
      }

      override async missingStep(id: Id): Promise<string | null> {
        const step = await super.missingStep(id);
        if (step !== null) return step;
        if (await hasStep(this.ctx, id)) return SECOND;
        return (await needsStep(this.ctx, id)) ? SETUP : null;
      }

      /** Whoever has just signed in may change their keys without being asked once more. */
      override async signedIn(id: Id): Promise<void> {
        await super.signedIn(id);
        noteProof(this.ctx);
      }

      override async afterWrite(ids: Ids, values: Values<FieldsOf<User>>): Promise<void> {
        await super.afterWrite(ids, values);
        if ('group_ids' in values) await endUnprotected(this.ctx, ids);
      }

      /** Takes authenticator app, passkeys and recovery codes from users who lost them. For whoever manages users and has all their rights. */
      async action_remove_second_step(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You may not manage these users.', { code: 'auth.users_not_allowed' });
        await this.requireMayManage(ids);
        await this.removeSecondStep(ids);
        return true;
      }

      /** Takes the second steps of users away, and tells them. Who may do so is the caller's matter. */
      async removeSecondStep(ids: Ids): Promise<void> {
        const system = this.ctx.sudo(); // Nobody has rights on what opens an account.
        const theirs = [['user_id', 'in', [...ids]]] as const;
        await system.model(Totp).unlink(await system.model(Totp).search(theirs));
        await system.model(RecoveryCode).unlink(await system.model(RecoveryCode).search(theirs));
        await system.model(Passkey).unlink(await system.model(Passkey).search(theirs));
        for (const id of ids)
          await tellOwner(this.ctx, id, {
            kind: 'step_removed',
            text: (t) => t('The second step of your account was taken away, with its passkeys and recovery codes.'),
          });
        await endUnprotected(this.ctx, ids);
      }
    },
);
