import { f, model } from 'pergola';

/**
 * A passkey of a user for this site, stored on a device or in a password manager. Only accessible to the system; owners manage their
 * passkeys on the keys page.
 */
export class Passkey extends model(
  'auth.passkey',
  {
    name: f.char({ required: true, size: 80 }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    credential: f.char({ required: true, unique: true, size: 1400, secret: true, copy: false }),
    public_key: f.text({ required: true, secret: true, sealed: false, copy: false }),
    /** Signature counter of the passkey, if supported; a repeated value reveals a cloned key. */
    counter: f.integer({ required: true, secret: true, copy: false }),
    transports: f.json<readonly string[]>({ secret: true, sealed: false, copy: false }),
    /** Host it was created for; browsers only offer it there. */
    site: f.char({ required: true }),
    /** Whether it is synced across devices. */
    synced: f.boolean(),
    last_use: f.datetime({ readonly: true, label: 'Last used' }),
  },
  { order: 'create_date, id', label: 'Passkey' },
) {}

declare module 'pergola' {
  interface Models {
    'auth.passkey': Passkey;
  }
}
