import { createHash, randomBytes } from 'node:crypto';
import { User } from '@pergola/base';
import { f, type Id, type Ids, InvalidInput, model, NotAllowed } from 'pergola';
import { firstNotOwn, type KeptRights, operationsOf } from 'pergola/orm';
import { describeScope } from '../services/scope.ts';
import { tellOwner } from '../services/tell-owner.ts';

/** Maximum number of tokens per user. */
const MAX_TOKENS = 50;
/** Distinguishes tokens from passwords, also for scanners of leaked secrets. */
const PREFIX = 'pgt_';

/** Values of a new token. */
export interface TokenRequest {
  readonly name: string;
  /** Days until it expires. */
  readonly days: number;
  readonly scope: KeptRights;
}

/**
 * Used by programs instead of the user's password: limited to certain models and operations, until an expiry date, and revoked by deleting
 * the record. Only a hash is stored; with 256 random bits, a fast hash is sufficient.
 */
export class AccessToken extends model(
  'auth.token',
  {
    name: f.char({ required: true, size: 80, readonly: true }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', readonly: true, index: true }),
    token_hash: f.char({ required: true, unique: true, secret: true, copy: false }),
    hint: f.char({ readonly: true, label: 'Starts with' }),
    scope: f.json<KeptRights>({ required: true, readonly: true }),
    covers: f.text({ compute: 'computeCovers', depends: ['scope'] }),
    expires: f.datetime({ required: true, readonly: true, label: 'Valid until' }),
    last_use: f.datetime({ readonly: true, label: 'Last used' }),
    last_address: f.char({ readonly: true, label: 'Last used from' }),
  },
  {
    order: 'create_date desc, id desc',
    label: 'Access token',
    unique: [{ fields: ['user_id', 'name'], message: 'You already have a token with this name. Choose another name.' }],
  },
) {
  /**
   * Creates a token for the caller. The returned token isn't stored, so it can't be read again.
   *
   * @throws InvalidInput for an empty scope, NotAllowed if the scope exceeds the caller's permissions
   */
  async issue({ name, days, scope }: TokenRequest): Promise<string> {
    const { ctx } = this;
    const userId = ctx.user.id;
    if (userId === null || ctx.user.scope)
      throw new NotAllowed('Sign in to create access tokens.', { code: 'auth.token_by_token' });
    this.#requireOwn(scope);
    const tokens = await this.invariant(User, [userId], () => this.count([['user_id', '=', userId]]));
    if (tokens >= MAX_TOKENS)
      throw new InvalidInput('You already have {most} tokens. Revoke the ones you no longer use.', {
        code: 'auth.too_many_tokens',
        params: { most: MAX_TOKENS },
      });
    const token = PREFIX + randomBytes(32).toString('base64url');
    // Users can't write tokens, or they could choose the hash; tokens are only created here.
    await ctx
      .sudo()
      .model(AccessToken)
      .create({
        name,
        user_id: userId,
        token_hash: hashOf(token),
        hint: token.slice(0, PREFIX.length + 4),
        scope,
        expires: new Date(ctx.now().getTime() + days * 86_400_000),
      });
    await tellOwner(ctx, userId, {
      kind: 'token_made',
      about: { name, scope },
      text: (t) => t('The access token “{name}” was created for your account.', { name }),
    });
    return token;
  }

  /** Rejects rights the caller doesn't have. */
  #requireOwn(scope: KeptRights): void {
    const { '*': all = '', ...byModel } = scope;
    if (operationsOf(all + Object.values(byModel).join('')).length === 0) {
      const message = 'Choose what the token can do.';
      throw new InvalidInput(message, { code: 'auth.empty_scope', fields: { rights: message } });
    }
    const more = firstNotOwn(this.ctx, byModel);
    if (more !== null)
      throw new NotAllowed('You don’t have this right for “{model}” yourself, so your tokens can’t have it either.', {
        code: 'auth.scope_not_own',
        params: { model: more },
      });
  }

  /** Returns the owner and scope of a token; null if it is expired, revoked or unknown. Must be called with `ctx.sudo()`. */
  async owner(token: string): Promise<{ id: Id; userId: Id; scope: KeptRights; lastUse: Date | null } | null> {
    const row = await this.first(
      [
        ['token_hash', '=', hashOf(token)],
        ['expires', '>', this.ctx.now()],
      ],
      { select: { user_id: true, scope: true, last_use: true } },
    );
    return row?.user_id && row.scope
      ? { id: row.id, userId: row.user_id, scope: row.scope, lastUse: row.last_use }
      : null;
  }

  async computeCovers(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { scope: true } });
    return new Map(rows.map(({ id, scope }) => [id, describeScope(this.ctx, scope ?? {})]));
  }

  /** Deleting a token revokes it, effective with the next call on every node. */
  override async beforeUnlink(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { name: true, user_id: true } });
    await this.ctx.model(User).requireMayManage(rows.flatMap(({ user_id }) => user_id ?? []));
    await super.beforeUnlink(ids);
    for (const { name, user_id: owner } of rows)
      if (owner)
        await tellOwner(this.ctx, owner, {
          kind: 'token_revoked',
          about: { name },
          text: (t) => t('The access token “{name}” was revoked.', { name }),
        });
  }
}

/** Whether a text looks like an access token. */
export function isToken(text: string): boolean {
  return text.length === PREFIX.length + 43 && /^pgt_[\w-]+$/.test(text);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

declare module 'pergola' {
  interface Models {
    'auth.token': AccessToken;
  }
}
