import { User, type UserToken } from '@pergola/base';
import { noteProof } from '@pergola/web';
import { extend, type FieldsOf, f, type Id, type Ids, NotAllowed, type Values } from 'pergola';
import { endUnprotected, hasStep, needsStep, SECOND, SETUP } from '../services/second-step.ts';
import { tellOwner } from '../services/tell-owner.ts';
import { Passkey } from './auth-passkey.ts';
import { RecoveryCode } from './auth-recovery-code.ts';
import { AccessToken } from './auth-token.ts';
import { Totp } from './auth-totp.ts';

/** Adds second factors to users, optional or required by their groups. */
export const KeyUser = extend(
  User,
  {
    has_second_step: f.boolean({
      compute: 'computeHasSecondStep',
      label: 'Two-factor authentication',
      groups: 'base.group_erp_manager',
    }),
    token_count: f.integer({
      compute: 'computeTokenCount',
      label: 'Access tokens',
      groups: 'base.group_erp_manager',
      help: 'Used by programs to sign in, even after a password reset',
    }),
  },
  (Base) =>
    class extends Base {
      async computeHasSecondStep(ids: Ids): Promise<Map<Id, boolean>> {
        const stepByUser = new Map<Id, boolean>();
        for (const id of ids) stepByUser.set(id, await hasStep(this.ctx, id));
        return stepByUser;
      }

      async computeTokenCount(ids: Ids): Promise<Map<Id, number>> {
        const tokens = await this.ctx
          .sudo() // Only a number, for user managers.
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

      /** Revokes all access tokens of users, for example after a password reset. Requires managing users and having all their rights. */
      async action_revoke_tokens(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You don’t have permission to manage these users.', { code: 'auth.users_not_allowed' });
        await this.requireMayManage(ids);
        const users = this.ctx.sudo().model(User); // User managers have no access to tokens.
        for (const id of ids) await users.revokeTokens(id);
        return true;
      }

      override async missingStep(id: Id): Promise<string | null> {
        const step = await super.missingStep(id);
        if (step !== null) return step;
        if (await hasStep(this.ctx, id)) return SECOND;
        return (await needsStep(this.ctx, id)) ? SETUP : null;
      }

      /** Users who have just signed in can change their keys without confirming their password. */
      override async signedIn(id: Id): Promise<void> {
        await super.signedIn(id);
        noteProof(this.ctx);
      }

      override async afterWrite(ids: Ids, values: Values<FieldsOf<User>>): Promise<void> {
        await super.afterWrite(ids, values);
        if ('group_ids' in values) await endUnprotected(this.ctx, ids);
      }

      /**
       * Removes the authenticator app, passkeys and recovery codes of users who lost them. Requires managing users and having all their
       * rights.
       */
      async action_remove_second_step(ids: Ids): Promise<boolean> {
        if ((await this.allowed(ids, 'write')).length < ids.length)
          throw new NotAllowed('You don’t have permission to manage these users.', { code: 'auth.users_not_allowed' });
        await this.requireMayManage(ids);
        await this.removeSecondStep(ids);
        return true;
      }

      /** Removes the second factors of users, and notifies them. The caller must have checked permissions. */
      async removeSecondStep(ids: Ids): Promise<void> {
        const system = this.ctx.sudo(); // Credentials are only accessible to the system.
        const ofUsers = [['user_id', 'in', [...ids]]] as const;
        await system.model(Totp).unlink(await system.model(Totp).search(ofUsers));
        await system.model(RecoveryCode).unlink(await system.model(RecoveryCode).search(ofUsers));
        await system.model(Passkey).unlink(await system.model(Passkey).search(ofUsers));
        for (const id of ids)
          await tellOwner(this.ctx, id, {
            kind: 'step_removed',
            text: (t) =>
              t('Two-factor authentication was removed from your account, along with its passkeys and recovery codes.'),
          });
        await endUnprotected(this.ctx, ids);
      }
    },
);
