import { type FieldsOf, f, type Ids, InvalidInput, model, seal, unseal, type Values } from 'pergola';
import { ProviderIdentity } from './auth-identity.ts';

const PURPOSE = 'auth.provider';

/** An OpenID Connect provider for signing in. */
export class SignInProvider extends model(
  'auth.provider',
  {
    name: f.char({ required: true, size: 60, translate: true, help: 'Shown on the button: “Sign in with …”' }),
    issuer: f.char({ required: true, size: 500, tracked: true, help: 'For example https://accounts.example.com' }),
    client_id: f.char({ required: true, size: 500, tracked: true, label: 'Client ID' }),
    /** Write-only: encrypted into the field below, and always empty when read. */
    client_secret: f.char({
      size: 1_000,
      copy: false,
      label: 'New client secret',
      help: 'Never shown again. Leave empty to keep the current secret.',
    }),
    sealed_secret: f.char({
      size: 2_000,
      secret: true,
      sealed: false,
      copy: false,
      tracked: true,
      label: 'Encrypted secret',
    }),
    has_secret: f.boolean({ readonly: true, copy: false, label: 'Client secret is set' }),
    active: f.boolean({ default: true, tracked: true }),
    sequence: f.integer({ default: 10 }),
  },
  { order: 'sequence, id', label: 'Sign-in provider' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<SignInProvider>>[],
  ): Promise<readonly Values<FieldsOf<SignInProvider>>[]> {
    return super.beforeCreate(values.map((value) => this.#sealed(value)));
  }

  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<SignInProvider>>,
  ): Promise<Values<FieldsOf<SignInProvider>>> {
    if ('issuer' in values) await this.#keepIssuers(ids);
    // A secret is only sent to the issuer it was entered for; a new issuer requires entering it again.
    const moved = 'issuer' in values && !values.client_secret ? { sealed_secret: null, has_secret: false } : {};
    return super.beforeWrite(ids, this.#sealed({ ...values, ...moved }));
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { issuer } of await this.read(ids, { select: { issuer: true } })) {
      const address = URL.parse(issuer);
      const isLocal = !this.ctx.config.production && ['localhost', '127.0.0.1'].includes(address?.hostname ?? '');
      if (
        address &&
        !address.search &&
        !address.hash &&
        !address.username &&
        (address.protocol === 'https:' || isLocal)
      )
        continue;
      const message = 'Enter an address that starts with https://.';
      throw new InvalidInput(message, { code: 'auth.bad_issuer', fields: { issuer: message } });
    }
  }

  /** Stores the issuer of older linked accounts before it changes. */
  async #keepIssuers(ids: Ids): Promise<void> {
    const identities = this.ctx.sudo().model(ProviderIdentity); // Administrators can edit providers, but have no access to accounts.
    for (const { id, issuer } of await this.read(ids, { select: { issuer: true } })) {
      const linked = await identities.search([
        ['provider_id', '=', id],
        ['issuer', '=', null],
      ]);
      await identities.write(linked, { issuer });
    }
  }

  #sealed(values: Values<FieldsOf<SignInProvider>>): Values<FieldsOf<SignInProvider>> {
    const { client_secret: secret, ...rest } = values;
    if (typeof secret !== 'string' || secret === '') return rest;
    return { ...rest, sealed_secret: seal(this.ctx.config.sessionSecret, PURPOSE, secret), has_secret: true };
  }

  /** Returns the data needed to sign in with a provider; null if it is missing or disabled. Must be called with `ctx.sudo()`. */
  async known(id: number): Promise<{ id: number; issuer: string; clientId: string; secret: string } | null> {
    const row = await this.first(
      [
        ['id', '=', id],
        ['active', '=', true],
      ],
      {
        select: { issuer: true, client_id: true, sealed_secret: true },
      },
    );
    if (!row) return null;
    const secret =
      row.sealed_secret === null ? '' : (unseal(this.ctx.config.sessionSecret, PURPOSE, row.sealed_secret) ?? '');
    return { id: row.id, issuer: row.issuer, clientId: row.client_id, secret };
  }
}

declare module 'pergola' {
  interface Models {
    'auth.provider': SignInProvider;
  }
}
