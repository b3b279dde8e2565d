import {
  Conflict,
  type Ctx,
  emailKey,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  NotAllowed,
  type Values,
} from 'pergola';
import { endSessions } from 'pergola/http';
import { linkedBy } from 'pergola/orm';
import { keepAnAdministrator } from '../administrators.ts';
import { endShrunk } from '../lost-rights.ts';
import { AuditEntry } from './audit.ts';
import { Group } from './group.ts';
import { Partner } from './partner.ts';

/** An access token as its owner sees it. */
export interface UserToken {
  readonly id: Id;
  readonly name: string;
  readonly lastUse: Date | null;
}

/** Somebody who can sign in. Name, address and picture are those of the contact. */
export class User extends model(
  'res.users',
  {
    login: f.char({ required: true, unique: true, tracked: true, label: 'Login', help: 'An e-mail address or a name' }),
    wanted_login: f.char({
      size: 254,
      index: true,
      readonly: true,
      copy: false,
      groups: 'base.group_erp_manager',
      label: 'Login once confirmed',
      help: 'The address somebody signed up with: it becomes their login when they have shown that they read mail there',
    }),
    partner_id: f.many2one('res.partner', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      label: 'Contact',
      help: 'Empty: a new one is made from name and address',
    }),
    name: f.char({ related: 'partner_id.name', writable: true }),
    email: f.char({ related: 'partner_id.email', writable: true }),
    image: f.image({ related: 'partner_id.image', writable: true, label: 'Picture' }),
    password_hash: f.char({ secret: true, sealed: false, copy: false, tracked: true, label: 'Password' }),
    /** The password is the one of the demo data, which everybody knows. */
    demo_password: f.boolean({ secret: true, copy: false }),
    /** Counted up with every change that must end sessions and links made before it. */
    credential_version: f.integer({ default: 1, secret: true, copy: false }),
    group_ids: f.many2many('res.groups', {
      empty: 'none',
      label: 'Groups',
      tracked: true,
      relation: { table: 'res_groups_users_rel', from: 'user_id', to: 'group_id' },
    }),
    company_id: f.many2one('res.company', { ondelete: 'restrict', tracked: true }),
    lang: f.char({ size: 10, label: 'Language' }),
    tz: f.char({ size: 64, label: 'Time zone' }),
    signature: f.html({ sanitize: 'mail' }),
    active: f.boolean({ default: true, tracked: true }),
    email_verified: f.boolean({ label: 'E-mail verified', readonly: true, copy: false }),
    login_date: f.datetime({ label: 'Last sign-in', readonly: true, copy: false }),
  },
  {
    order: 'login',
    nameField: 'name',
    nameSearch: ['partner_id', 'login'],
    label: 'User',
    elsewhere: {
      password: {
        help: 'Passwords are not written with a user. Call “action_reset_password” on the user, which sends a link to choose one, or run “npx pergola user password <login>” on the server. Everybody changes their own with /web/session/change_password.',
      },
    },
  },
) {
  override async beforeCreate(values: readonly Values<FieldsOf<User>>[]): Promise<readonly Values<FieldsOf<User>>[]> {
    await this.ctx.model(Group).requireMayGive(values.flatMap(({ group_ids }) => linkedBy(group_ids)));
    await this.#requireMayShare(values);
    const plain = values.map((value) => withoutDemoMark(withPlainLogin(value)));
    return super.beforeCreate(await Promise.all(plain.map((value) => this.#withContact(value))));
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<User>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    await this.ctx.model(AuditEntry).note(ids.map((id) => ({ kind: 'create', res_model: 'res.users', res_id: id })));
    // Whoever signs in with a mail address is reached there, unless their contact says another one.
    const contacts = this.ctx.model(Partner);
    for (const { partner_id, login } of await this.read(ids, {
      select: { login: true, partner_id: { email: true } },
    })) {
      if (!partner_id || partner_id.email || !isEmailAddress(login)) continue;
      if ((await contacts.allowed([partner_id.id], 'write')).length > 0)
        await contacts.write(partner_id.id, { email: login });
    }
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<User>>): Promise<Values<FieldsOf<User>>> {
    await this.#requireMayGive(ids, linkedBy(values.group_ids));
    await this.requireMayManage(ids);
    if ('partner_id' in values) await this.#requireMayShare([values]);
    const plain = withoutDemoMark(withPlainLogin(values));
    if (!changesCredentials(plain)) return super.beforeWrite(ids, plain);
    // Links made under the old password, groups or state end; no version comes a second time.
    const rows = await this.ctx
      .sudo()
      .model(User)
      .read(ids, { select: { credential_version: true } });
    const latest = Math.max(0, ...rows.map(({ credential_version }) => credential_version ?? 1));
    return super.beforeWrite(ids, { ...plain, credential_version: latest + 1 });
  }

  override async write(given: Id | Ids, values: Values<FieldsOf<User>>): Promise<void> {
    const ids = typeof given === 'number' ? [given] : given;
    const write = (): Promise<void> => super.write(ids, values);
    if ('group_ids' in values) return endShrunk(this.ctx, ids, () => keepAnAdministrator(this.ctx, write));
    return values.active === false ? keepAnAdministrator(this.ctx, write) : write();
  }

  override async unlink(given: Id | Ids): Promise<void> {
    return keepAnAdministrator(this.ctx, () => super.unlink(given));
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<User>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (!('password_hash' in values || changesLogin(values) || values.active === false)) return;
    // Whoever was let in before signs in again, on every node; not so the session that made the change.
    for (const id of ids) await endSessions(this.ctx, id, { exceptCurrent: id === this.ctx.user.id });
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    if (this.ctx.user.id !== null && ids.includes(this.ctx.user.id))
      throw new Conflict('You cannot delete your own user.', { code: 'base.own_user' });
    await this.requireMayManage(ids);
    await super.beforeUnlink(ids);
    const trail = this.ctx.model(AuditEntry);
    await trail.note(ids.map((id) => ({ kind: 'delete', res_model: 'res.users', res_id: id })));
    await trail.forget('res.users', ids);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('group_ids') && !this.ctx.su && !this.ctx.has('base.group_erp_manager')) {
      throw new NotAllowed('Only access-rights managers may change groups.', { code: 'base.groups_not_allowed' });
    }
  }

  /**
   * Where a user whose password (or link by mail) was right still has to go before they are signed in, a path of the site; null when nothing is missing.
   * Asked with rights lifted. Extensions ask for more than a password; programs, which cannot go there, are refused theirs.
   */
  async missingStep(_id: Id): Promise<string | null> {
    return null;
  }

  /**
   * Told, with rights lifted, when a user signs in with the session of the request, whatever the way (password, link by mail), in the transaction that does
   * it. Extensions bring along what the visitor had before; nothing they meet may keep anybody from signing in.
   */
  async signedIn(id: Id): Promise<void> {
    await this.ctx.model(AuditEntry).note([{ kind: 'sign_in', res_model: 'res.users', res_id: id, user_id: id }]);
  }

  /** The active user with this login, whatever its case; null when there is none. */
  async byLogin(
    login: string,
  ): Promise<{ id: Id; password_hash: string | null; credential_version: number | null } | null> {
    return this.first(
      [
        ['login', '=', plainLogin(login)],
        ['active', '=', true],
      ],
      { select: { password_hash: true, credential_version: true } },
    );
  }

  /** The active user who signed up with this address last, of those who have not confirmed it; null when there is none. */
  async byWantedLogin(address: string): Promise<{ id: Id; password_hash: string | null } | null> {
    return this.first(
      [
        ['wanted_login', '=', plainLogin(address)],
        ['active', '=', true],
      ],
      { select: { password_hash: true }, order: 'id desc' },
    );
  }

  /**
   * Who has an address for a login (disabled users too) that somebody who signed up is to get by confirming it; null when it is free, or the user has a login
   * already. Asked with rights lifted: whoever signs up must not learn it.
   */
  async rivalOf(id: Id, address: string | null): Promise<Id | null> {
    const { wanted_login: wanted } = await this.get(id, { select: { wanted_login: true } });
    if (wanted === null || !address) return null;
    const [rival] = await this.search([
      ['login', '=', plainLogin(address)],
      ['active', 'in', [true, false]],
    ]);
    return rival ?? null;
  }

  /** Keeps a new password's hash (made by the `passwords` service before the transaction) and ends what was signed in with the old one. */
  async setPasswordHash(ids: Ids, hash: string): Promise<void> {
    await this.write(ids, { password_hash: hash });
  }

  /**
   * Access tokens that programs of a user sign in with, and that stay valid when the password changes. Asked with rights lifted; extensions that have tokens
   * return them.
   */
  async accessTokens(_id: Id): Promise<readonly UserToken[]> {
    return [];
  }

  /** Revokes all access tokens of a user. For rights lifted. */
  async revokeTokens(_id: Id): Promise<void> {}

  /** Notes that the user has shown to receive mail at their address: their login, if they signed up with it. Extensions add what follows from it. */
  async verifyEmail(ids: Ids): Promise<void> {
    for (const { id, wanted_login: login } of await this.read(ids, { select: { wanted_login: true } }))
      await this.write(id, { email_verified: true, ...(login === null ? {} : { login }) });
  }

  /**
   * Makes sure that the caller has all rights of these users, the caller's own account aside: changing an account, its keys or its sessions can be as much as
   * acting as its owner, and taking rights away can lock the owner out.
   *
   * @throws NotAllowed naming the group, or the model of a role's right
   */
  async requireMayManage(ids: Ids): Promise<void> {
    if (this.ctx.su) return;
    const rows = await this.ctx
      .sudo() // Rights of a user count, whether or not the caller sees them.
      .model(User)
      .read(
        ids.filter((id) => id !== this.ctx.user.id),
        { select: { group_ids: true } },
      );
    await this.ctx.model(Group).requireMayGive(rows.flatMap(({ group_ids }) => group_ids));
  }

  /** A contact that is somebody's already comes with their address. */
  async #requireMayShare(values: readonly Values<FieldsOf<User>>[]): Promise<void> {
    const contacts = values.flatMap(({ partner_id }) => (typeof partner_id === 'number' ? [partner_id] : []));
    if (this.ctx.su || contacts.length === 0) return;
    const theirs = [
      ['partner_id', 'in', contacts],
      ['active', 'in', [true, false]],
    ] as const;
    await this.requireMayManage(await this.ctx.sudo().model(User).search(theirs)); // Whoever they are.
  }

  /** Groups that somebody is in already are not given. */
  async #requireMayGive(ids: Ids, groups: Ids): Promise<void> {
    if (this.ctx.su || groups.length === 0) return;
    const rows = await this.read(ids, { select: { group_ids: true } });
    const given = groups.filter((group) => rows.some(({ group_ids }) => !group_ids.includes(group)));
    await this.ctx.model(Group).requireMayGive(given);
  }

  /** A user of whom nothing is said but the login is called by it. */
  async #withContact(values: Values<FieldsOf<User>>): Promise<Values<FieldsOf<User>>> {
    const { login, partner_id } = values;
    if (partner_id || typeof login !== 'string' || login === '') return values;
    return { ...values, partner_id: await this.ctx.model(Partner).create({ name: login }) };
  }
}

/** The address of the caller's user, once its owner has shown to read mail there; null for everybody else. What belongs to an address goes by this. */
export async function confirmedEmail(ctx: Ctx): Promise<string | null> {
  if (ctx.user.id === null) return null;
  const user = await ctx
    .sudo() // One's own.
    .model(User)
    .first(
      [
        ['id', '=', ctx.user.id],
        ['email_verified', '=', true],
      ],
      { select: { email: true } },
    );
  return user?.email ?? null;
}

/** The form in which logins are kept and compared: without regard to case, surrounding space and the encoding of a domain. */
export function plainLogin(login: string): string {
  return emailKey(login);
}

function withPlainLogin(values: Values<FieldsOf<User>>): Values<FieldsOf<User>> {
  const { login } = values;
  if (typeof login !== 'string') return values;
  const plain = plainLogin(login);
  if (/[\p{Cc}\s]/u.test(plain)) {
    const message = 'A login has no spaces.';
    throw new InvalidInput(message, { code: 'base.bad_login', fields: { login: message } });
  }
  return { wanted_login: null, ...values, login: plain };
}

/** A new password is nobody's demo password, unless the demo data says so. */
function withoutDemoMark(values: Values<FieldsOf<User>>): Values<FieldsOf<User>> {
  return 'password_hash' in values && !('demo_password' in values) ? { ...values, demo_password: false } : values;
}

function changesCredentials(values: Values<FieldsOf<User>>): boolean {
  return 'password_hash' in values || 'active' in values || 'group_ids' in values || changesLogin(values);
}

/** The login that somebody signed up with, and has confirmed now, is no other one. */
function changesLogin(values: Values<FieldsOf<User>>): boolean {
  return 'login' in values && values.email_verified !== true;
}

declare module 'pergola' {
  interface Models {
    'res.users': User;
  }
}
