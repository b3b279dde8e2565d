import { f, type Id, type Ids, InvalidInput, model } from 'pergola';
import { routes } from 'pergola/http';
import { localizePath, plainPath } from '../services/address.ts';
import { type CurrentWebsite, readWebsites } from '../services/current-website.ts';
import { addressKey, keysOf, parseAddress, queryText, type WebAddress } from '../services/redirect-address.ts';
import { beside } from './beside.ts';
import type { PagePlace } from './website-page.ts';

/** Maximum length of redirect chains. */
const mostSteps = 10;

/**
 * Redirect from an address, of a page that moved or of an older site. Pages and addons at that address take precedence unless the address
 * has a query (`/?p=12`).
 */
export class WebsiteRedirect extends model(
  'website.redirect',
  {
    url_from: f.char({
      required: true,
      index: true,
      size: 1024,
      normalize: normalised,
      label: 'Old address',
      help: '/old-page or /index.php?id=12',
    }),
    url_to: f.char({
      required: true,
      size: 1024,
      normalize: (text) => text.trim(),
      label: 'Link',
      help: '/new-page or https://example.org/page',
    }),
    type: f.selection({ '301': 'Permanent (301)', '302': 'Temporary (302)' }, { default: '301' }),
    website_id: f.many2one('website', {
      empty: 'all',
      ondelete: 'cascade',
      index: true,
      label: 'Website',
      help: 'Leave empty for all websites',
    }),
  },
  { order: 'url_from, id', nameField: 'url_from', label: 'Redirect' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const row of await this.read(ids, { select: { url_from: true, url_to: true, website_id: true } })) {
      await this.#checkFrom(row);
      if (!/^\/(?![/\\])/.test(row.url_to) && !/^https?:\/\/[^/]/.test(row.url_to)) {
        const refusal = new InvalidInput('Enter a path on this site, or a full address that starts with https://.', {
          code: 'website.bad_redirect_target',
        });
        throw beside('url_to', refusal);
      }
      await this.#refuseTwins(row);
      await this.#refuseLoops(row);
    }
  }

  /**
   * Final destination of an address on a site, or null. Follows chains to their end. Parameters of the query that the redirect doesn't name are
   * passed on, unless the destination has a query of its own.
   *
   * @param requested path without the language prefix, and query, as the browser sent them
   * @param options `site` and `lang` of the request; `queryOnly` considers only redirects whose address has a query
   */
  async target(
    requested: string,
    { site, lang, queryOnly = false }: { site: CurrentWebsite | undefined; lang: string; queryOnly?: boolean },
  ): Promise<RedirectTarget | null> {
    const steps: RedirectTarget[] = [];
    const seen = new Set<string>();
    let next = parseAddress(requested);
    while (steps.length < mostSteps && !seen.has(addressKey(next))) {
      const step = await this.#step(next, { site, lang, queryOnly: queryOnly && steps.length === 0 });
      if (!step) break;
      seen.add(addressKey(next));
      steps.push({ to: step.to, forGood: step.type === '301' });
      if (!step.to.startsWith('/')) break;
      next = parseAddress(step.to);
    }
    const last = steps.at(-1);
    return last ? { to: last.to, forGood: steps.every(({ forGood }) => forGood) } : null;
  }

  /**
   * Redirects the old address of a moved page to the new one (if requested), updates redirects to the old address, and removes redirects
   * from the new one.
   */
  async pageMoved(old: PagePlace, url: string, redirect: boolean): Promise<void> {
    await this.makeRoom([{ ...old, url }]);
    const leading = await this.search([
      ['url_to', '=', old.url],
      ['website_id', '=', old.website_id],
    ]);
    if (leading.length > 0) await this.write(leading, { url_to: url });
    if (!redirect || old.url === '/' || this.ctx.get(routes).ownerOf(old.url) !== null) return;
    await this.create({ url_from: old.url, url_to: url, website_id: old.website_id });
  }

  /** Removes redirects from addresses that now have pages. */
  async makeRoom(places: readonly PagePlace[]): Promise<void> {
    for (const { url, website_id } of places) {
      await this.unlink(
        await this.search([
          ['url_from', '=', url],
          ['website_id', '=', website_id],
        ]),
      );
    }
  }

  /** Removes redirects to pages that are about to be deleted. */
  async forget(places: readonly PagePlace[]): Promise<void> {
    for (const { url, website_id } of places) {
      await this.unlink(
        await this.search([
          ['url_to', '=', url],
          ['website_id', '=', website_id],
        ]),
      );
    }
  }

  /** Best matching redirect: most query parameters first, then with the language prefix, then of the site itself. */
  async #step(address: WebAddress, { site, lang, queryOnly = false }: Reader) {
    const paths = [...new Set([...prefixed(site, address.path, lang), address.path])];
    const keys = paths.flatMap((path) => keysOf({ ...address, path })).filter((key) => !queryOnly || key.includes('?'));
    const rows = await this.find(
      ['&', ['url_from', 'in', keys], '|', ['website_id', '=', null], ['website_id', '=', site?.id ?? null]],
      { select: { url_from: true, url_to: true, type: true, website_id: true } },
    );
    const [best] = rows
      .map((row) => ({ ...row, ...parseAddress(row.url_from) }))
      .toSorted(
        (a, b) =>
          b.params.length - a.params.length ||
          paths.indexOf(a.path) - paths.indexOf(b.path) ||
          Number(b.website_id !== null) - Number(a.website_id !== null),
      );
    if (!best) return null;
    const matched = new Set(best.params.map(String));
    const otherParams = address.params.filter((param) => !matched.has(String(param)));
    return { ...best, to: withQuery(best.url_to, matched.size === 0 ? address.query : queryText(otherParams)) };
  }

  /** Rejects an address that no request can have. */
  async #checkFrom({ url_from: text, website_id }: RedirectRow): Promise<void> {
    const refuse = (refusal: InvalidInput): never => {
      throw beside('url_from', refusal);
    };
    if (text.includes('#')) {
      const code = 'website.redirect_anchor';
      refuse(new InvalidInput('Browsers don’t send the part after “#”. Leave it out of the old address.', { code }));
    }
    if (!/^\/(?![/\\])/.test(text)) {
      const code = 'website.bad_redirect';
      refuse(new InvalidInput('The old address must be a path on this site that starts with a slash.', { code }));
    }
    const { path, params } = parseAddress(text);
    const sites = (await readWebsites(this.ctx)).filter(({ id }) => website_id === null || id === website_id);
    for (const plain of new Set(sites.map((site) => plainPath(site, path)))) {
      const owner = plain === '/' ? 'website' : this.ctx.get(routes).ownerOf(plain);
      if (owner !== null && (plain !== '/' || params.length === 0)) {
        const details = { code: 'website.address_of_addon', params: { addon: owner } };
        refuse(new InvalidInput('This address belongs to the app “{addon}”. Choose another one.', details));
      }
    }
    if (params.length === 0 && (await this.#isCovered(sites, path))) {
      const code = 'website.redirect_to_page';
      refuse(
        new InvalidInput(
          'A page already uses this address, so the redirect would never apply. Choose another address.',
          { code },
        ),
      );
    }
  }

  /** Returns whether each of the sites has a page at the address. */
  async #isCovered(sites: readonly CurrentWebsite[], path: string): Promise<boolean> {
    const pages = await this.ctx
      .sudo() // Pages hidden from the caller also take precedence over the redirect.
      .model('website.page')
      .find([['url', 'in', [...new Set(sites.map((site) => plainPath(site, path)))]]], {
        select: { url: true, website_id: true },
      });
    return (
      sites.length > 0 &&
      sites.every((site) =>
        pages.some(
          ({ url, website_id: pageSite }) =>
            url === plainPath(site, path) && (pageSite === null || pageSite === site.id),
        ),
      )
    );
  }

  async #refuseTwins({ id, url_from, website_id }: RedirectRow): Promise<void> {
    const twins = [
      ['url_from', '=', url_from],
      ['website_id', '=', website_id],
      ['id', '!=', id],
    ] as const;
    const websites = await this.ctx.sudo().model('website').search([]); // Redirects of one site and of all sites share their targets.
    if ((await this.invariant('website', websites, () => this.count(twins))) === 0) return;
    const refusal = new InvalidInput('There’s already a redirect from this address.', {
      code: 'website.redirect_twice',
    });
    throw beside('url_from', refusal);
  }

  async #refuseLoops({ url_from, url_to, website_id }: RedirectRow): Promise<void> {
    const site = (await readWebsites(this.ctx)).find(({ id }) => id === website_id);
    const seen = new Set<string>();
    for (let to = url_to; to.startsWith('/') && !seen.has(to); ) {
      const next = parseAddress(to);
      if (keysOf(next).includes(url_from)) {
        const refusal = new InvalidInput('This would create a redirect loop. Choose another address.', {
          code: 'website.redirect_loop',
        });
        throw beside('url_to', refusal);
      }
      seen.add(to);
      const step = await this.#step(next, { site, lang: site?.defaultLang ?? '' });
      if (!step) return;
      to = step.to;
    }
  }
}

/** Site and language of a request. */
interface Reader {
  readonly site: CurrentWebsite | undefined;
  readonly lang: string;
  readonly queryOnly?: boolean;
}

/** Path with its language prefixes: `/fr/old`, `/fr_FR/old`. */
function prefixed(site: CurrentWebsite | undefined, path: string, lang: string): string[] {
  const language = site?.languages.find(({ code }) => code === lang);
  if (!language) return [];
  const codes = [language.urlCode, language.code, language.tag];
  return [localizePath(site, path, lang), ...codes.map((code) => (path === '/' ? `/${code}` : `/${code}${path}`))];
}

/** Appends a query to a path of this site, unless the path already has one. */
function withQuery(to: string, query: string): string {
  if (query === '' || to.includes('?') || !to.startsWith('/')) return to;
  const [bare = '', anchor] = to.split('#', 2);
  return anchor === undefined ? `${bare}?${query}` : `${bare}?${query}#${anchor}`;
}

/** Target address, and whether browsers and search engines may cache the redirect. */
export interface RedirectTarget {
  readonly to: string;
  readonly forGood: boolean;
}

interface RedirectRow {
  readonly id: Id;
  readonly url_from: string;
  readonly url_to: string;
  readonly website_id: Id | null;
}

/** Normalises an address with {@link addressKey}, so that equal addresses are equal strings. */
function normalised(text: string): string {
  return text.trim().startsWith('/') && !text.includes('#') ? addressKey(parseAddress(text)) : text.trim();
}

declare module 'pergola' {
  interface Models {
    'website.redirect': WebsiteRedirect;
  }
}
