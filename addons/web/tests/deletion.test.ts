import { readFileSync } from 'node:fs';
import type { Ctx, Id } from 'pergola';
import { models } from 'pergola/orm';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';

type Values = Readonly<Record<string, unknown>>;
type Registered = ReturnType<typeof fieldsOf>[number];

/** Every stored relation of the addons. */
function fieldsOf(ctx: Ctx) {
  return [...ctx.get(models).models.values()].flatMap((model) =>
    [...model.fields.values()].filter(
      ({ relation, stored, base }) =>
        stored && !base && (relation?.kind === 'many2one' || relation?.kind === 'many2many'),
    ),
  );
}

const shown = ({ model, name }: Registered): string => `${model}.${name}`;

/** Help texts and labels which state that an empty field applies to everything. */
const everything = /\b(?:none|empty|without|nothing)\b[^.;]*\b(?:all|any|every\w*)\b/i;

/** Values that a model needs besides its required fields, by model. */
const special: Readonly<
  Record<string, (ctx: Ctx, make: (model: string, values?: Values) => Promise<Id>, given: Values) => Promise<Values>>
> = {
  'product.attribute.exclusion': async (_ctx, make) => ({
    value_ids: [await make('product.attribute.value'), await make('product.attribute.value')],
  }),
  'product.attribute.line': async (_ctx, make) => {
    const attribute_id = await make('product.attribute');
    return { attribute_id, value_ids: [await make('product.attribute.value', { attribute_id })] };
  },
  'website.menu': async () => ({ url: '/contactus' }),
  'website.redirect': async () => ({ url_from: `/old-${next()}`, url_to: '/' }),
  'event.event': async () => ({ date_begin: new Date(Date.now() + 1e9), date_end: new Date(Date.now() + 2e9) }),
  'product.product': async () => ({ combination: `${next()},${next()}` }),
  website: async (ctx) => {
    const [language = 0] = await ctx.modelNamed('res.lang').search([]);
    return { language_ids: [language], default_lang_id: language };
  },
  'product.image': async (ctx, _make, { product_id }) => {
    const [variant] = await ctx.modelNamed('product.product').find([['id', '=', Number(product_id ?? 0)]] as never, {
      select: { product_tmpl_id: true } as never,
    });
    return variant ? { product_tmpl_id: (variant as Values).product_tmpl_id } : {};
  },
  'sale.order.line': async () => ({ name: 'Chair' }),
  'res.users': async () => ({ login: `user-${next()}` }),
  'payment.acquirer': async () => ({ provider: 'transfer' }),
};

const png = readFileSync(new URL('../static/img/placeholder.png', import.meta.url));
let count = 0;
const next = (): number => (count += 1);

/** Returns an existing currency or language, otherwise creates a record. */
async function existingOrNew(ctx: Ctx, model: string): Promise<Id> {
  const [known] = model === 'res.currency' || model === 'res.lang' ? await ctx.modelNamed(model).search([]) : [];
  return known ?? make(ctx, model);
}

/** Creates a record of any model, with values for its required fields. */
async function make(ctx: Ctx, model: string, given: Values = {}): Promise<Id> {
  const { fields } = ctx.get(models).need(model);
  const values: Record<string, unknown> = {
    ...(await special[model]?.(ctx, (other, more) => make(ctx, other, more), given)),
    ...given,
  };
  for (const { name, type, required, options, base, column, relation, choices } of fields.values()) {
    if (!required || base || column === null || name in values || options.default !== undefined || options.filled)
      continue;
    if (relation) values[name] = await existingOrNew(ctx, relation.to);
    else if (type === 'image') values[name] = await ctx.files.putImage(png, { name: 'a.png' });
    else if (type === 'selection') values[name] = [...(choices?.keys() ?? [])][0];
    else if (type === 'char' || type === 'text' || type === 'html')
      values[name] =
        name === 'code'
          ? `Q${String.fromCharCode(65 + (next() % 26))}`
          : `${name} ${next()}`.slice(0, options.size ?? 80);
    else if (type === 'date') values[name] = '2030-01-01';
    else if (type === 'datetime') values[name] = new Date('2030-01-01T10:00:00Z');
    else if (type === 'json') values[name] = {};
    else if (type !== 'boolean') values[name] = type === 'decimal' ? '1' : 1;
  }
  return ctx.modelNamed(model).create(values as never);
}

eachDatabase('Rules that apply to everything when they are empty', (database, once) => {
  let app: TestApp;
  let admin: Client;
  let fields: readonly Registered[];
  beforeAll(async () => {
    app = await createTestApp({
      addons: ['dribblo', 'forum', 'mass_mailing', 'quote', 'website_event', 'website_sale', 'auth'],
      database,
    });
    admin = await app.as('admin');
    fields = await app.read(async (ctx) => fieldsOf(ctx));
  });
  afterAll(() => app.close());

  once('say so, and relations that a deletion empties say that this means nothing', () => {
    const emptied = fields.filter(
      ({ relation }) => relation && 'ondelete' in relation && relation.ondelete === 'set null',
    );
    expect(emptied.length).toBeGreaterThan(20);
    expect(emptied.filter(({ options }) => options.empty !== 'none').map(shown)).toEqual([]);
    const words = ({ options, label }: Registered): string => `${options.help ?? ''} ${label}`;
    expect(fields.filter((field) => field.options.empty !== 'all' && everything.test(words(field))).map(shown)).toEqual(
      [],
    );
  });

  it('never lose their last record by a deletion, by whatever way', async () => {
    const rules = fields.filter(
      ({ options, relation }) =>
        options.empty === 'all' || (relation?.kind === 'many2many' && relation.ondelete !== 'set null'),
    );
    expect(rules.map(shown)).toEqual(
      expect.arrayContaining(['account.fiscal.position.country_ids', 'website.page.website_id']),
    );
    const outcomes: string[] = [];
    for (const field of rules) {
      const to = field.relation?.to ?? '';
      const isMany = field.relation?.kind === 'many2many';
      for (const way of ['model', 'rpc', 'several'] as const) {
        const [rule, target, other] = await app.write(async (ctx) => {
          const [one, two] = [await make(ctx, to), await make(ctx, to)];
          const isPair = field.model === 'product.attribute.exclusion';
          const value = isMany ? (isPair ? [one, await make(ctx, to)] : [one]) : one;
          return [await make(ctx, field.model, { [field.name]: value }), one, two];
        });
        const ids = way === 'several' ? [other, target] : [target];
        const deletion =
          way === 'rpc'
            ? admin.rpc('/web/dataset/call_kw', { model: to, method: 'unlink', args: [ids], kwargs: {} })
            : app.write((ctx) => ctx.modelNamed(to).unlink(ids));
        const isRefused = await deletion.then(
          () => false,
          (error: unknown) => {
            expect(String(error)).toMatch(/can’t be deleted|can.?not be deleted/);
            return true;
          },
        );
        const [row] = await app.read((ctx) =>
          ctx
            .modelNamed(field.model)
            .find(
              [
                ['id', '=', rule],
                ...(ctx.get(models).need(field.model).activeField ? [['active', 'in', [true, false]] as const] : []),
              ] as never,
              {
                select: { [field.name]: true } as never,
              },
            ),
        );
        const left =
          row === undefined ? 'gone' : [(row as Values)[field.name]].flat().filter((id) => id !== null).length;
        outcomes.push(`${shown(field)} ${way}: ${isRefused ? 'refused' : 'deleted'}, ${left}`);
        expect([shown(field), way, isRefused ? left : row]).toEqual([
          shown(field),
          way,
          isRefused ? (field.model === 'product.attribute.exclusion' ? 2 : 1) : undefined,
        ]);
      }
    }
    expect(outcomes.length).toBe(rules.length * 3);
  });

  const unlink = (model: string, id: Id) =>
    admin.rpc('/web/dataset/call_kw', { model, method: 'unlink', args: [[id]], kwargs: {} });

  once('events, matches and teams keep the place where they are', async () => {
    const [place = 0, ground = 0] = await app.write(async (ctx) => {
      const hall = await make(ctx, 'res.partner', { name: 'Old Town Hall' });
      await make(ctx, 'event.event', { name: 'Concert', address_id: hall });
      const venue = await make(ctx, 'club.venue', { name: 'Stadium' });
      const team = await make(ctx, 'club.team', { name: 'Rovers', venue_id: venue });
      await make(ctx, 'club.match', { receiver_id: team, venue_id: venue });
      return [hall, venue];
    });
    await expect(unlink('res.partner', place)).rejects.toThrow(
      /Contact “Old Town Hall” can’t be deleted\. Still used by: Event “Concert” \(Venue\)/,
    );
    await expect(unlink('club.venue', ground)).rejects.toThrow(/Team “Rovers” \(Home ground\)/);
    expect(
      (
        await admin.rpc<{ effect: string; names: string[] }[]>('/web/backend/dependants', {
          model: 'res.partner',
          ids: [place],
        })
      )[0],
    ).toMatchObject({ effect: 'forbids', names: ['Concert'] });
  });

  once('a shop keeps the page of its terms, until the site itself goes', async () => {
    const { site, terms } = await app.write(async (ctx) => {
      const website = await make(ctx, 'website', { name: 'Second shop' });
      const page = await make(ctx, 'website.page', { name: 'Terms', url: '/terms-2', website_id: website });
      await ctx.modelNamed('website').write(website, { shop_terms_page_id: page } as never);
      return { site: website, terms: page };
    });
    await expect(unlink('website.page', terms)).rejects.toThrow(/Still used by: Website “Second shop”/);
    await unlink('website', site);
    expect(await app.read((ctx) => ctx.modelNamed('website.page').count([['id', '=', terms]]))).toBe(0);
  });
});
