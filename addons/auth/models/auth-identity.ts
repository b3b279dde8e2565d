import { sameEmail, User } from '@pergola/base';
import { f, type Id, model } from 'pergola';

/** Account with a provider, from its verified ID token. */
export interface ProviderAccount {
  readonly provider: Id;
  /** The `iss` claim. */
  readonly issuer: string;
  /** The `sub` claim. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified the address. */
  readonly confirmed: boolean;
}

/**
 * Links an account with a sign-in provider to a user. The link is created once, if both sides have verified the same address; afterwards
 * the account is identified by issuer and subject, which OpenID Connect guarantees to be unique together.
 */
export class ProviderIdentity extends model(
  'auth.identity',
  {
    provider_id: f.many2one('auth.provider', { required: true, ondelete: 'cascade' }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    /** The `iss` claim of the link; null for accounts linked before it was stored, until the provider's address changes. */
    issuer: f.char({ size: 500, readonly: true }),
    subject: f.char({ required: true, size: 255 }),
  },
  {
    label: 'Linked account',
    nameField: 'subject',
    unique: [{ fields: ['provider_id', 'issuer', 'subject'] }],
  },
) {
  /**
   * Returns the active user of an account with a provider, or null. On the first visit, links it to the one user with the same verified
   * address, if the provider has verified it too. Must be called with `ctx.sudo()`.
   */
  async userOf({ provider, issuer, subject, email, confirmed }: ProviderAccount): Promise<Id | null> {
    const users = this.ctx.model(User);
    const linked = ['|', ['issuer', '=', issuer], ['issuer', '=', null]] as const;
    const identity = await this.first([['provider_id', '=', provider], ['subject', '=', subject], ...linked], {
      select: { user_id: true },
    });
    if (identity?.user_id) {
      const [user] = await users.search([
        ['id', '=', identity.user_id],
        ['active', '=', true],
      ]);
      return user ?? null;
    }
    if (!confirmed || email === null || email === '') return null;
    const candidates = await users.search(
      [...sameEmail('email', email), ['email_verified', '=', true], ['active', '=', true]],
      { limit: 2 },
    );
    const [user, duplicate] = candidates;
    if (user === undefined || duplicate !== undefined) return null;
    // A user has one account per provider: a second one with the same address belongs to someone who got the address later.
    if ((await this.count([['provider_id', '=', provider], ['user_id', '=', user], ...linked])) > 0) return null;
    await this.create({ provider_id: provider, user_id: user, issuer, subject });
    return user;
  }
}

declare module 'pergola' {
  interface Models {
    'auth.identity': ProviderIdentity;
  }
}
