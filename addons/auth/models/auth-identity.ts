import { sameEmail, User } from '#addons/base';
import { f, type Id, model } from '#core';

/** Who somebody of a provider is here. Joined once, by an address that both sides have confirmed; then by what the provider calls them. */
export class ProviderIdentity extends model(
  'auth.identity',
  {
    provider_id: f.many2one('auth.provider', { required: true, ondelete: 'cascade' }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    subject: f.char({ required: true, size: 255 }),
  },
  { label: 'Account with a provider', nameField: 'subject', unique: [{ fields: ['provider_id', 'subject'] }] },
) {
  /**
   * The active user that somebody of a provider is. Whoever comes for the first time is joined with the one user who has confirmed the same address, when the
   * provider says that it has confirmed it too; else they are nobody here: null. For rights lifted.
   */
  async userOf(
    provider: Id,
    { subject, email, confirmed }: { subject: string; email: string | null; confirmed: boolean },
  ): Promise<Id | null> {
    const users = this.ctx.model(User);
    const known = await this.first(
      [
        ['provider_id', '=', provider],
        ['subject', '=', subject],
      ],
      { select: { user_id: true } },
    );
    if (known?.user_id)
      return (
        (
          await users.search([
            ['id', '=', known.user_id],
            ['active', '=', true],
          ])
        ).at(0) ?? null
      );
    if (!confirmed || email === null || email === '') return null;
    const found = await users.search(
      [...sameEmail('email', email), ['email_verified', '=', true], ['active', '=', true]],
      { limit: 2 },
    );
    const [only, another] = found;
    if (only === undefined || another !== undefined) return null;
    // Of one provider an account here has one: somebody else with the same address later is somebody else.
    if (
      (await this.count([
        ['provider_id', '=', provider],
        ['user_id', '=', only],
      ])) > 0
    )
      return null;
    await this.create({ provider_id: provider, user_id: only, subject });
    return only;
  }
}

declare module '#core' {
  interface Models {
    'auth.identity': ProviderIdentity;
  }
}
