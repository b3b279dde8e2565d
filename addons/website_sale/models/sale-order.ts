import { agreed, type OrderContent, type OrderProblem, SaleOrder, textFact } from '@pergola/sale';
import { type Ctx, extend, type FieldsOf, f, type Id, type Ids, type Values, via } from 'pergola';
import { codeKey } from '../services/promo-code.ts';
import { t } from '../texts.ts';
import { ShopPricelist } from './product-pricelist.ts';
import { ShopOrderLine } from './sale-order-line.ts';
import { ShopWebsite } from './website.ts';

type OrderValues = Values<FieldsOf<SaleOrder>>;
type Shown = Readonly<Record<string, string>>;

interface OrderLink {
  readonly id: Id;
  readonly is_cart: boolean;
  readonly name: string | null;
  readonly state: string;
  readonly website_id: Id | null;
  readonly access_token: string;
}

/** Orders placed in the shop. */
export const ShopOrder = extend(
  SaleOrder,
  {
    website_id: f.many2one('website', { empty: 'none', index: true, readonly: true, label: 'Website' }),
    /** Checkout steps already counted in the statistics; each counts once. */
    counted: f.char({ readonly: true, copy: false, size: 200, default: '' }),
    /** Promo code the prices were granted for. If the code changes later, it no longer grants them. */
    promo_code: f.char({ size: 64, readonly: true, copy: false, label: 'Promo code' }),
    customer_note: f.text({ ...agreed, size: 1000, copy: false, label: 'Customer note' }),
  },
  (Base) =>
    class extends Base {
      /**
       * Hook for additional fields of the address form, called in the transaction that saves the address. Extensions handle their own
       * fields (names of attendees). Throw InvalidInput with `fields` to show errors next to them.
       */
      async checkoutSubmitted(_id: Id, _fields: Readonly<Record<string, unknown>>): Promise<void> {}

      /**
       * Template values for additional fields of the address form. Extensions add values under their own names. `typed` and `errors` come
       * from a rejected form.
       */
      async checkoutShown(_id: Id, _typed: Shown, _errors: Shown): Promise<Readonly<Record<string, unknown>>> {
        return {};
      }

      /** Adds the customer's note, and the shop's terms of sale, which the order button refers to. */
      override async content(id: Id): Promise<OrderContent> {
        const content = await super.content(id);
        const { customer_note, lang, website_id } = await this.get(id, {
          select: { customer_note: true, lang: true, website_id: true },
        });
        const note = customer_note ? [textFact('customer_note', t(this.ctx, 'Order note'), customer_note)] : [];
        // Same language for every reader, so that the hash only changes when the terms do.
        const terms = website_id === null ? null : await termsOf(lang ? this.ctx.as({ lang }) : this.ctx, website_id);
        return {
          ...content,
          facts: [...content.facts, ...note],
          context: [
            ...content.context,
            ...(terms ? [textFact('shop_terms', t(this.ctx, 'Terms of sale'), terms)] : []),
          ],
        };
      }

      override async beforeCreate(values: readonly OrderValues[]): Promise<readonly OrderValues[]> {
        const complete: OrderValues[] = [];
        for (const value of values) complete.push({ ...value, ...(await this.#codeOf(value)) });
        return super.beforeCreate(complete);
      }

      override async beforeWrite(ids: Ids, values: OrderValues): Promise<OrderValues> {
        return super.beforeWrite(ids, { ...values, ...(await this.#codeOf(values)) });
      }

      async #codeOf({ pricelist_id: list }: OrderValues): Promise<OrderValues> {
        if (list === undefined) return {};
        const [row] =
          typeof list === 'number'
            ? await this.ctx
                .sudo() // Customers with these prices were verified to know the code.
                .model(ShopPricelist)
                .read([list], { select: { code: true } })
            : [];
        return { promo_code: row?.code?.trim() || null } as OrderValues;
      }

      /** Emails link to the order page, which needs no account. */
      override async threadPaths(ids: Ids): Promise<Map<Id, string>> {
        const paths = new Map(await super.threadPaths(ids));
        const rows = await this.ctx
          .sudo() // Recipients of emails about an order may open it.
          .model(SaleOrder)
          .read(ids, {
            select: { is_cart: true, name: true, state: true, website_id: true, access_token: true } as never,
          });
        // Quotations by salespeople may have another page, which wins. Drafts have no page, nor do unpaid carts.
        for (const { id, is_cart, name, state, website_id, access_token } of rows as unknown as readonly OrderLink[]) {
          const isOwn = website_id !== null || (state !== 'draft' && !paths.get(id));
          if (is_cart ? name !== null : isOwn) paths.set(id, `/shop/order/${id}/${access_token}`);
        }
        return paths;
      }

      override async siteZoneOf(id: Id): Promise<string | null> {
        const { website_id } = await this.ctx
          .sudo() // The shop shows its time zone to every visitor.
          .model(ShopOrder)
          .get(id, { select: { website_id: { timezone: true } } });
        return website_id?.timezone ?? (await super.siteZoneOf(id));
      }

      /** Reports products that are no longer in the shop and promo codes that were withdrawn. */
      override async problems(id: Id): Promise<OrderProblem[]> {
        const baseProblems = await super.problems(id);
        const system = this.ctx.sudo(); // Customers may know why their order can't be paid.
        const { is_cart, state, website_id, promo_code, order_line, pricelist_id } = await system
          .model(ShopOrder)
          .get(id, {
            select: {
              is_cart: true,
              state: true,
              website_id: true,
              promo_code: true,
              order_line: { name: true },
              pricelist_id: via(ShopPricelist, { active: true, code: true }),
            },
          });
        const isOpen = state === 'draft' || state === 'sent';
        if (!isOpen || (!is_cart && website_id === null)) return baseProblems;
        const listed = await system.model(ShopOrderLine).listed(order_line.map((line) => line.id));
        // Removed products have no price problems.
        const problems = baseProblems.filter(
          ({ code, line }) => !ofOffer.has(code) || line === null || listed.has(line),
        );
        const reportedLines = new Set(problems.map(({ line }) => line));
        const unlistedLines = order_line.filter((line) => !listed.has(line.id) && !reportedLines.has(line.id));
        const isListGone = problems.some(({ code }) => code === 'sale.list_gone');
        const isCodeGone =
          is_cart && promo_code !== null && (isListGone || codeKey(pricelist_id?.code ?? '') !== codeKey(promo_code));
        const codeProblem = {
          code: 'sale.list_gone',
          message: t(this.ctx, 'The promo code {code} is no longer valid.', { code: promo_code ?? '' }),
          line: null,
          remedy: 'renew' as const,
        };
        return [
          ...problems.filter(({ code }) => !isCodeGone || code !== 'sale.list_gone'),
          ...(isCodeGone ? [codeProblem] : []),
          ...unlistedLines.map((line) => ({
            code: 'website_sale.not_listed',
            message: t(this.ctx, '“{name}” is no longer sold.', { name: line.name.split('\n', 1)[0] ?? '' }),
            line: line.id,
            reach: 'item' as const,
            remedy: 'remove' as const,
          })),
        ];
      }
    },
);

/** Returns the text of a shop's terms of sale, or null if visitors can't see any. */
async function termsOf(ctx: Ctx, website: Id): Promise<string | null> {
  const { shop_terms_page_id: page } = await ctx
    .model(ShopWebsite)
    .get(website, { select: { shop_terms_page_id: { content: true, is_visible: true } } });
  return page?.is_visible ? page.content : null;
}
/** Problems with the shop's offer for a line. */
const ofOffer: ReadonlySet<string> = new Set(['sale.price_changed', 'sale.text_changed']);
