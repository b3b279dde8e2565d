import { f, InvalidInput, model } from 'pergola';

const MAX_BYTES = 10_000;
const MAX_KEYS = 500;

/** User's preferences for the backend screens by key, such as columns and their widths. */
export class Preference extends model(
  'web.preference',
  {
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade' }),
    key: f.char({ required: true, size: 120 }),
    value: f.json<unknown>(),
  },
  { label: 'Preference', undo: false, unique: [{ fields: ['user_id', 'key'] }], nameField: 'key' },
) {
  /** Stores a preference of the current user; null deletes it. */
  async remember(preference: { readonly key: string; readonly value: unknown }): Promise<boolean> {
    const { key, value } = preference;
    const userId = this.ctx.user.id;
    if (userId === null) return false;
    if (value !== null && JSON.stringify(value).length > MAX_BYTES)
      throw new InvalidInput('This preference is too large to save.', { code: 'web.preference_too_large' });
    const [existing] = await this.search([
      ['user_id', '=', userId],
      ['key', '=', key],
    ]);
    if (value === null) {
      if (existing) await this.unlink(existing);
    } else if (existing) await this.write(existing, { value });
    else {
      const keys = await this.invariant('res.users', [userId], () => this.count([['user_id', '=', userId]]));
      if (keys >= MAX_KEYS)
        throw new InvalidInput('This preference is too large to save.', { code: 'web.preference_too_many' });
      await this.create({ user_id: userId, key, value });
    }
    return true;
  }
}

declare module 'pergola' {
  interface Models {
    'web.preference': Preference;
  }
}
