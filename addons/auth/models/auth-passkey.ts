import { f, model } from 'pergola';

/** A key that a device or a password manager keeps for a user and this site. Nobody has rights on it; its owner looks after it on a page of theirs. */
export class Passkey extends model(
  'auth.passkey',
  {
    name: f.char({ required: true, size: 80 }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    credential: f.char({ required: true, unique: true, size: 1400, secret: true, copy: false }),
    public_key: f.text({ required: true, secret: true, sealed: false, copy: false }),
    /** How often it was used, as far as it counts; a copy of it is found out by a number that comes twice. */
    counter: f.integer({ required: true, secret: true, copy: false }),
    transports: f.json<readonly string[]>({ secret: true, sealed: false, copy: false }),
    /** The host that it was made for; browsers offer it nowhere else. */
    site: f.char({ required: true }),
    /** Whether its maker keeps copies on other devices. */
    synced: f.boolean(),
    last_use: f.datetime({ readonly: true }),
  },
  { order: 'create_date, id', label: 'Passkey' },
) {}

declare module 'pergola' {
  interface Models {
    'auth.passkey': Passkey;
  }
}
