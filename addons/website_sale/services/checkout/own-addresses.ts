import type { PostalAddress } from '@pergola/sale';
import { app, type Id, InvalidInput, NotFound, service } from 'pergola';
import { ShopPartner } from '../../models/res-partner.ts';
import { type AddressBody, checkedAddress } from './address-fields.ts';

const addressFields = {
  name: true,
  phone: true,
  street: true,
  street2: true,
  zip: true,
  city: true,
  state_id: true,
  country_id: true,
} as const;

/** One of the caller's addresses: the invoice address or a delivery address. */
export type OwnAddress = 'invoice' | Id;

/** Maximum number of delivery addresses per customer. */
const maxAddresses = 50;

/** Addresses of the signed-in user: the invoice address of their contact, and the delivery addresses below it. */
export class OwnAddresses extends service('website_sale.own_addresses', { ctx: app.ctx }) {
  // Customers have no rights on contacts; this service only looks up the caller's own.
  readonly #partners = this.ctx.sudo().model(ShopPartner);
  readonly #contactId = this.ctx.user.id === null ? null : this.ctx.user.partnerId;

  /** Delivery addresses other than the invoice address. */
  deliveries() {
    return this.#partners.find(this.#deliveryDomain(), {
      select: { ...addressFields, state_id: { name: true }, country_id: { name: true } },
    });
  }

  /** Returns one of the delivery addresses in the format of an order, or null for any other id. */
  delivery(id: Id): Promise<(PostalAddress & { readonly id: Id }) | null> {
    return this.#partners.first([['id', '=', id], ...this.#deliveryDomain()], { select: addressFields });
  }

  /** Returns the invoice address, and the id of the default delivery address. */
  async invoice() {
    if (this.#contactId === null) return null;
    return this.#partners.first([['id', '=', this.#contactId]], {
      select: {
        ...addressFields,
        state_id: { name: true },
        country_id: { name: true },
        email: true,
        vat: true,
        parent_id: { name: true },
        default_delivery_id: true,
      },
    });
  }

  /** Initial values from the caller's account for an address form of the shop. */
  async checkoutValues(): Promise<Record<string, string>> {
    const invoiceAddress = await this.invoice();
    if (!invoiceAddress) return {};
    return {
      ...formValues({
        ...invoiceAddress,
        state_id: invoiceAddress.state_id?.id ?? null,
        country_id: invoiceAddress.country_id?.id ?? null,
      }),
      email: invoiceAddress.email ?? '',
      street: invoiceAddress.parent_id?.name ?? '',
      shipping_id: String(invoiceAddress.default_delivery_id ?? 0),
    };
  }

  /** Returns the values of an address form. @throws NotFound unless the address is the caller's */
  async values(target: OwnAddress): Promise<Record<string, string>> {
    if (target === 'invoice') return this.checkoutValues();
    return formValues(await this.#delivery(target));
  }

  /**
   * Saves an address; `null` creates one.
   *
   * @throws InvalidInput with a message for each invalid field
   * @throws NotFound unless the address is the caller's
   */
  async save(target: OwnAddress | null, form: AddressBody): Promise<void> {
    const address: PostalAddress = {
      name: form.name,
      phone: form.phone || null,
      street: form.street2,
      street2: null,
      zip: form.zip || null,
      city: form.city,
      state_id: form.state_id,
      country_id: form.country_id,
    };
    const ownVat = target === 'invoice' ? { vat: form.vat || null } : {};
    const required = ['name', 'street', 'city', 'country_id'] as const;
    const { street, ...errors } = await checkedAddress(this.ctx, { ...address, ...ownVat }, required, form.states_of);
    // Maps the street error to the field name of the checkout form.
    const fields = { ...errors, ...(street ? { street2: street } : {}) };
    if (Object.keys(fields).length > 0)
      throw new InvalidInput('Check the highlighted fields.', { code: 'website_sale.bad_address', fields });
    if (target === 'invoice' && this.#contactId !== null)
      await this.#partners.write(this.#contactId, { ...address, ...ownVat });
    else if (typeof target === 'number') await this.#partners.write((await this.#delivery(target)).id, address);
    else {
      if ((await this.#partners.count(this.#deliveryDomain())) >= maxAddresses)
        throw new InvalidInput('You have too many addresses. Delete one first.', {
          code: 'website_sale.many_addresses',
        });
      await this.keep(address);
    }
  }

  /** Saves a delivery address for the next time, unless it already exists. */
  async keep(shipping: PostalAddress): Promise<void> {
    if (this.#contactId === null) return;
    const saved = await this.deliveries();
    const isSame = (address: (typeof saved)[number]): boolean =>
      (['name', 'street', 'city', 'zip'] as const).every((field) => address[field] === (shipping[field] ?? null));
    if (saved.some(isSame) || saved.length >= maxAddresses) return;
    const { email: _email, company: _company, vat: _vat, ...address } = shipping;
    await this.#partners.create({ ...address, parent_id: this.#contactId, type: 'delivery' });
  }

  /** Deletes an address. Orders have their own copies and don't change. */
  async remove(id: Id): Promise<void> {
    await this.#partners.unlink((await this.#delivery(id)).id);
  }

  /** Sets the default delivery address; 0 for the invoice address. */
  async makeUsual(id: Id): Promise<void> {
    if (this.#contactId === null) return;
    await this.#partners.write(this.#contactId, {
      default_delivery_id: id === 0 ? null : (await this.#delivery(id)).id,
    });
  }

  async #delivery(id: Id) {
    const address = await this.delivery(id);
    if (!address) throw new NotFound('We can’t find this address.', { code: 'website_sale.no_address' });
    return address;
  }

  #deliveryDomain() {
    return [
      ['parent_id', '=', this.#contactId ?? 0],
      ['type', '=', 'delivery'],
    ] as const;
  }
}

function formValues(address: PostalAddress): Record<string, string> {
  return {
    name: address.name,
    phone: address.phone ?? '',
    street2: [address.street, address.street2].filter(Boolean).join(', '),
    zip: address.zip ?? '',
    city: address.city ?? '',
    state_id: String(address.state_id ?? ''),
    country_id: String(address.country_id ?? ''),
    vat: address.vat ?? '',
  };
}
