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

/** An access token as shown to its owner. */
export interface UserToken {
  readonly id: Id;
  readonly name: string;
  readonly lastUse: Date | null;
}

/** A user account. Name, address and image belong to its contact. */
export class User extends model(
  'res.users',
  {
    login: f.char({
      required: true,
      unique: true,
      tracked: true,
      label: 'Sign-in email',
      help: 'An email address or a username',
    }),
    wanted_login: f.char({
      size: 254,
      index: true,
      readonly: true,
      copy: false,
      groups: 'base.group_erp_manager',
      label: 'Sign-in email once confirmed',
      help: 'The address the user signed up with. It becomes their sign-in email once they confirm it.',
    }),
    partner_id: f.many2one('res.partner', {
      required: true,
      filled: true,
      ondelete: 'restrict',
      label: 'Contact',
      help: 'Leave empty to create a contact from the name and email',
    }),
    name: f.char({ related: 'partner_id.name', writable: true }),
    email: f.char({ related: 'partner_id.email', writable: true }),
    image: f.image({ related: 'partner_id.image', writable: true, label: 'Image' }),
    password_hash: f.char({ secret: true, sealed: false, copy: false, tracked: true, label: 'Password' }),
    /** Whether the password is the publicly known one of the demo data. */
    demo_password: f.boolean({ secret: true, copy: false }),
    /** Incremented by every change that must invalidate existing sessions and links. */
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
    email_verified: f.boolean({ label: 'Email confirmed', readonly: true, copy: false }),
    login_date: f.datetime({ label: 'Last sign-in', readonly: true, copy: false }),
  },
  {
    order: 'login',
    nameField: 'name',
    nameSearch: ['partner_id', 'login'],
    label: 'User',
    elsewhere: {
      password: {
        help: 'You can’t set a password on a user directly. Call “action_reset_password” on the user to send a link, or run “npx pergola user password <login>” on the server. Users change their own password with /web/session/change_password.',
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
    // Copies an email address used as login to the contact, unless it already has one.
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
    // Invalidates links created under the old password, groups or status. Versions are never reused.
    const rows = await this.ctx
      .sudo()
      .model(User)
      .read(ids, { select: { credential_version: true } });
    const latest = Math.max(0, ...rows.map(({ credential_version }) => credential_version ?? 1));
    return super.beforeWrite(ids, { ...plain, credential_version: latest + 1 });
  }

  override async write(idOrIds: Id | Ids, values: Values<FieldsOf<User>>): Promise<void> {
    const ids = typeof idOrIds === 'number' ? [idOrIds] : idOrIds;
    const write = (): Promise<void> => super.write(ids, values);
    if ('group_ids' in values) return endShrunk(this.ctx, ids, () => keepAnAdministrator(this.ctx, write));
    return values.active === false ? keepAnAdministrator(this.ctx, write) : write();
  }

  override async unlink(idOrIds: Id | Ids): Promise<void> {
    return keepAnAdministrator(this.ctx, () => super.unlink(idOrIds));
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<User>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (!('password_hash' in values || changesLogin(values) || values.active === false)) return;
    // Ends existing sessions on all nodes, except the one that made the change.
    for (const id of ids) await endSessions(this.ctx, id, { exceptCurrent: id === this.ctx.user.id });
  }

  override async beforeUnlink(ids: Ids): Promise<void> {
    if (this.ctx.user.id !== null && ids.includes(this.ctx.user.id))
      throw new Conflict('You can’t delete your own user.', { code: 'base.own_user' });
    await this.requireMayManage(ids);
    await super.beforeUnlink(ids);
    const trail = this.ctx.model(AuditEntry);
    await trail.note(ids.map((id) => ({ kind: 'delete', res_model: 'res.users', res_id: id })));
    await trail.forget('res.users', ids);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('group_ids') && !this.ctx.su && !this.ctx.has('base.group_erp_manager')) {
      throw new NotAllowed('Only access rights managers can change groups.', { code: 'base.groups_not_allowed' });
    }
  }

  /**
   * Returns the path where a user must complete the sign-in after the password (or email link) was accepted, or null. Called with elevated
   * rights. Extensions can require more than a password; programs, which can't open the path, are rejected.
   */
  async missingStep(_id: Id): Promise<string | null> {
    return null;
  }

  /**
   * Called with elevated rights when a user signs in with the current session, by any method (password, email link), within the same
   * transaction. Extensions can transfer the visitor's data; they must not make the sign-in fail.
   */
  async signedIn(id: Id): Promise<void> {
    await this.ctx.model(AuditEntry).note([{ kind: 'sign_in', res_model: 'res.users', res_id: id, user_id: id }]);
  }

  /** Returns the active user with this login, ignoring case, or null. */
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

  /** Returns the active user who most recently signed up with this address without confirming it, or null. */
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
   * Returns the user (including disabled ones) whose login is an address that a new user is about to confirm; null if it is available, or
   * the new user already has a login. Called with elevated rights, because users signing up must not learn it.
   */
  async rivalOf(id: Id, address: string | null): Promise<Id | null> {
    const { wanted_login: wantedLogin } = await this.get(id, { select: { wanted_login: true } });
    if (wantedLogin === null || !address) return null;
    const [rival] = await this.search([
      ['login', '=', plainLogin(address)],
      ['active', 'in', [true, false]],
    ]);
    return rival ?? null;
  }

  /**
   * Stores the hash of a new password (computed by the `passwords` service before the transaction), and ends sessions started with the old
   * one.
   */
  async setPasswordHash(ids: Ids, hash: string): Promise<void> {
    await this.write(ids, { password_hash: hash });
  }

  /**
   * Access tokens of a user's programs, which remain valid when the password changes. Called with elevated rights; extensions with tokens
   * return them.
   */
  async accessTokens(_id: Id): Promise<readonly UserToken[]> {
    return [];
  }

  /** Revokes all access tokens of a user. Must be called with `ctx.sudo()`. */
  async revokeTokens(_id: Id): Promise<void> {}

  /** Marks the user's email address as verified, and makes it their login if they signed up with it. Extensions can add further effects. */
  async verifyEmail(ids: Ids): Promise<void> {
    for (const { id, wanted_login: login } of await this.read(ids, { select: { wanted_login: true } }))
      await this.write(id, { email_verified: true, ...(login === null ? {} : { login }) });
  }

  /**
   * Verifies that the caller has all rights of these users, except for their own account: changing an account, its keys or its sessions can
   * amount to acting as its owner, and removing rights can lock the owner out.
   *
   * @throws NotAllowed naming the group, or the model of a role's right
   */
  async requireMayManage(ids: Ids): Promise<void> {
    if (this.ctx.su) return;
    const rows = await this.ctx
      .sudo() // Checks the user's rights regardless of the caller's access to users.
      .model(User)
      .read(
        ids.filter((id) => id !== this.ctx.user.id),
        { select: { group_ids: true } },
      );
    await this.ctx.model(Group).requireMayGive(rows.flatMap(({ group_ids }) => group_ids));
  }

  /** Checks contacts that already belong to a user, because they bring that user's address. */
  async #requireMayShare(values: readonly Values<FieldsOf<User>>[]): Promise<void> {
    const contacts = values.flatMap(({ partner_id }) => (typeof partner_id === 'number' ? [partner_id] : []));
    if (this.ctx.su || contacts.length === 0) return;
    const domain = [
      ['partner_id', 'in', contacts],
      ['active', 'in', [true, false]],
    ] as const;
    await this.requireMayManage(await this.ctx.sudo().model(User).search(domain)); // Includes users the caller can't see.
  }

  /** Ignores groups the user already has. */
  async #requireMayGive(ids: Ids, groups: Ids): Promise<void> {
    if (this.ctx.su || groups.length === 0) return;
    const rows = await this.read(ids, { select: { group_ids: true } });
    const addedGroups = groups.filter((group) => rows.some(({ group_ids }) => !group_ids.includes(group)));
    await this.ctx.model(Group).requireMayGive(addedGroups);
  }

  /** Names the contact after the login if no other data is given. */
  async #withContact(values: Values<FieldsOf<User>>): Promise<Values<FieldsOf<User>>> {
    const { login, partner_id } = values;
    if (partner_id || typeof login !== 'string' || login === '') return values;
    return { ...values, partner_id: await this.ctx.model(Partner).create({ name: login }) };
  }
}

/** Returns the verified address of the caller's user, or null. Data that belongs to an address relies on this. */
export async function confirmedEmail(ctx: Ctx): Promise<string | null> {
  if (ctx.user.id === null) return null;
  const user = await ctx
    .sudo() // The caller's own user.
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

/** Normalised form in which logins are stored and compared: ignores case, surrounding space and the encoding of the domain. */
export function plainLogin(login: string): string {
  return emailKey(login);
}

function withPlainLogin(values: Values<FieldsOf<User>>): Values<FieldsOf<User>> {
  const { login } = values;
  if (typeof login !== 'string') return values;
  const plain = plainLogin(login);
  if (/[\p{Cc}\s]/u.test(plain)) {
    const message = 'A sign-in email or username can’t contain spaces.';
    throw new InvalidInput(message, { code: 'base.bad_login', fields: { login: message } });
  }
  return { wanted_login: null, ...values, login: plain };
}

/** Clears the demo mark when a password changes, unless set by demo data. */
function withoutDemoMark(values: Values<FieldsOf<User>>): Values<FieldsOf<User>> {
  return 'password_hash' in values && !('demo_password' in values) ? { ...values, demo_password: false } : values;
}

function changesCredentials(values: Values<FieldsOf<User>>): boolean {
  return 'password_hash' in values || 'active' in values || 'group_ids' in values || changesLogin(values);
}

/** Confirming the login from the sign-up doesn't count as a change. */
function changesLogin(values: Values<FieldsOf<User>>): boolean {
  return 'login' in values && values.email_verified !== true;
}

declare module 'pergola' {
  interface Models {
    'res.users': User;
  }
}
