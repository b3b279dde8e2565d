import { isTimezone, Language } from '@pergola/base';
import { Conflict, type Ctx, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { checkLook } from '../look/check.ts';
import { plainDomain } from '../services/host-name.ts';
import { plainAddress } from '../services/page-address.ts';
import { beside } from './beside.ts';
import { WebsiteMenu } from './website-menu.ts';

/** Website with its host name, languages and company. The first website also handles unknown hosts. */
export class Website extends model(
  'website',
  {
    name: f.char({ required: true, label: 'Site name', size: 80 }),
    domain: f.char({
      unique: true,
      label: 'Domain name',
      help: 'Example: www.example.org. Leave empty for the site that serves all other domains.',
    }),
    sequence: f.integer({ default: 10 }),
    company_id: f.many2one('res.company', {
      required: true,
      ondelete: 'restrict',
      default: (ctx: Ctx): Promise<Id> => ctx.ref('base.main_company'),
    }),
    language_ids: f.many2many('res.lang', {
      empty: 'none',
      label: 'Languages',
      help: 'Visitors can choose from these. If you remove a language, its addresses (/fr/shop) stop working, but its translations are kept.',
    }),
    default_lang_id: f.many2one('res.lang', {
      required: true,
      ondelete: 'restrict',
      label: 'Default language',
      help: 'Its addresses have no prefix (/shop). If you change the default, the previous language gets a prefix, and its old links open in the new default language.',
    }),
    default_lang_code: f.char({ related: 'default_lang_id.code', label: 'Default language code' }),
    timezone: f.char({ size: 64, label: 'Time zone', help: 'Visitors see dates and times in this time zone.' }),
    homepage_id: f.many2one('website.page', { empty: 'none', label: 'Home page' }),
    logo: f.image({ label: 'Logo' }),
    logo_dark: f.image({ label: 'Logo for dark backgrounds', help: 'If empty, the standard logo is used' }),
    favicon: f.image({ label: 'Icon', help: 'A square image of at least 180 pixels' }),
    favicon_dark: f.image({ label: 'Icon for dark backgrounds', help: 'If empty, the standard icon is used' }),
    og_image: f.image({ label: 'Social sharing image', help: '1200 × 630 pixels' }),
    opening_hours: f.text({
      size: 1_000,
      translate: true,
      label: 'Opening hours',
      help: 'Shown in the footer of every page. One entry per line, for example: Tuesday to Friday: 9–12, 14–18',
    }),
    look: f.json({ label: 'Appearance' }),
    indexed: f.boolean({ default: true, label: 'Visible to search engines' }),
    social_twitter: f.char({ label: 'X (Twitter) account', size: 1024 }),
    social_facebook: f.char({ label: 'Facebook account', size: 1024 }),
    social_linkedin: f.char({ label: 'LinkedIn account', size: 1024 }),
    social_github: f.char({ label: 'GitHub account', size: 1024 }),
    social_youtube: f.char({ label: 'YouTube account', size: 1024 }),
    social_instagram: f.char({ label: 'Instagram account', size: 1024 }),
    menu_id: f.many2one('website.menu', { compute: 'mainMenus', label: 'Main menu' }),
    page_ids: f.one2many('website.page', 'website_id', { label: 'Pages only on this site' }),
  },
  { order: 'sequence, id', label: 'Website' },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<Website>>[],
  ): Promise<readonly Values<FieldsOf<Website>>[]> {
    return super.beforeCreate(values.map(normalise));
  }

  override async beforeWrite(ids: Ids, values: Values<FieldsOf<Website>>): Promise<Values<FieldsOf<Website>>> {
    return super.beforeWrite(ids, normalise(values));
  }

  /** Deletes records that belong only to this website; the last website can't be deleted. */
  override async beforeUnlink(ids: Ids): Promise<void> {
    const websites = await this.search([]);
    const remaining = await this.invariant(Website, websites, () => this.count([['id', 'not in', ids]]));
    if (remaining === 0) {
      throw new Conflict('You can’t delete the last website.', { code: 'website.last_website' });
    }
    for (const name of ['website.menu', 'website.redirect', 'website.page']) {
      const related = this.ctx.modelNamed(name);
      await related.unlink(await related.search([['website_id', 'in', ids]]));
    }
    await super.beforeUnlink(ids);
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('default_lang_id')) await this.#lockLanguages(ids);
    const rows = await this.read(ids, {
      select: {
        domain: true,
        timezone: true,
        language_ids: true,
        default_lang_id: { name: true, active: true },
        look: true,
      },
    });
    for (const { domain, timezone, language_ids, default_lang_id, look } of rows) {
      if (look !== null && changed.has('look')) checkLook(this.ctx, look);
      if (domain !== null && plainDomain(domain) !== domain) {
        throw beside(
          'domain',
          new InvalidInput('Enter a valid domain name, such as www.example.org.', { code: 'website.bad_domain' }),
        );
      }
      if (timezone !== null && !isTimezone(timezone)) {
        throw beside('timezone', new InvalidInput('Choose a valid time zone.', { code: 'website.bad_timezone' }));
      }
      if (default_lang_id && !language_ids.includes(default_lang_id.id)) {
        const refusal = new InvalidInput('The default language must be one of the site’s languages.', {
          code: 'website.bad_default_lang',
        });
        throw beside('default_lang_id', refusal);
      }
      if (default_lang_id?.active === false && changed.has('default_lang_id')) {
        const refusal = new InvalidInput('This language is disabled. Enable it under Settings / Languages first.', {
          code: 'website.default_language',
        });
        throw beside('default_lang_id', refusal);
      }
    }
  }

  /** Prevents a language from being disabled while it becomes the default. */
  async #lockLanguages(ids: Ids): Promise<void> {
    const rows = await this.read(ids, { select: { default_lang_id: true } });
    await this.ctx.lock(
      Language,
      rows.map(({ default_lang_id }) => default_lang_id),
    );
  }

  /** Opens the “Look” panel on the site's current page. */
  async edit_look([id]: Ids): Promise<{ url: string }> {
    return { url: `/?look=${id}` };
  }

  /** Header menu of each site: its own, otherwise the shared one. */
  async mainMenus(ids: Ids): Promise<Map<Id, Id | null>> {
    const menus = this.ctx.model(WebsiteMenu);
    const menuIds = new Map<Id, Id | null>();
    for (const id of ids) menuIds.set(id, (await menus.rootsOf(id))[0] ?? null);
    return menuIds;
  }

  /** Pages of the site whose title or address contains a text, for link dialogs: `[{ loc, name }]`. */
  async search_pages(ids: Ids, needle: string, limit: number): Promise<{ loc: string; name: string }[]> {
    const rows = await this.ctx
      .model('website.page')
      .find([...this.#onSite(ids), '|', ['name', 'ilike', needle], ['url', 'ilike', needle]], {
        select: { name: true, website_url: true, url: true },
        limit,
      });
    return rows.map(({ name, website_url, url }) => ({ loc: website_url ?? url, name }));
  }

  /** Page at an address (`about` or `/about`) as `[model, id]`, or false. */
  async page_exists(ids: Ids, name: string): Promise<['website.page', Id] | false> {
    const [row] = await this.ctx
      .model('website.page')
      .search([...this.#onSite(ids), ['url', '=', plainAddress(name)]], { limit: 1 });
    return row === undefined ? false : ['website.page', row];
  }

  #onSite([id]: Ids) {
    return id === undefined ? ([] as const) : (['|', ['website_id', '=', null], ['website_id', '=', id]] as const);
  }

  /** Codes of the site's active languages, the default first. */
  async languageCodes(id: Id): Promise<string[]> {
    const { language_ids, default_lang_id } = await this.get(id, {
      select: { language_ids: true, default_lang_id: true },
    });
    const rows = await this.ctx.model(Language).find(
      [
        ['id', 'in', language_ids],
        ['active', '=', true],
      ],
      { select: { code: true } },
    );
    return rows
      .sort((a, b) => Number(b.id === default_lang_id) - Number(a.id === default_lang_id))
      .map(({ code }) => code);
  }
}

/** Stores host names as they appear in requests; `validate` rejects invalid ones. */
function normalise(values: Values<FieldsOf<Website>>): Values<FieldsOf<Website>> {
  const { domain } = values;
  if (typeof domain !== 'string') return values;
  return { ...values, domain: domain.trim() === '' ? null : (plainDomain(domain) ?? domain.trim()) };
}

declare module 'pergola' {
  interface Models {
    website: Website;
  }
}
