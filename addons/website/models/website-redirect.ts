import { f, type Id, type Ids, InvalidInput, model } from '#core';
import { routes } from '#core/http';
import { beside } from './beside.ts';
import type { PagePlace } from './website-page.ts';

/** Most steps from one address to the next that are followed. */
const mostSteps = 10;

/** An address that leads to another one: of a page that moved, or of an older site. Pages and addons at that address come first. */
export class WebsiteRedirect extends model(
  'website.redirect',
  {
    url_from: f.char({
      required: true,
      index: true,
      size: 1024,
      normalize: encodedPath,
      label: 'Old address',
      help: '/old-page',
    }),
    url_to: f.char({
      required: true,
      size: 1024,
      normalize: (text) => text.trim(),
      label: 'Leads to',
      help: '/new-page or https://example.org/page',
    }),
    type: f.selection({ '301': 'Moved for good (301)', '302': 'Moved for now (302)' }, { default: '301' }),
    website_id: f.many2one('website', {
      empty: 'all',
      ondelete: 'cascade',
      index: true,
      label: 'Website',
      help: 'Empty: on all websites',
    }),
  },
  { order: 'url_from, id', nameField: 'url_from', label: 'Redirect' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const row of await this.read(ids, { select: { url_from: true, url_to: true, website_id: true } })) {
      this.#checkFrom(row.url_from);
      if (!/^\/(?![/\\])/.test(row.url_to) && !/^https?:\/\/[^/]/.test(row.url_to)) {
        const refusal = new InvalidInput('Write a path of this site, or a whole address that begins with https://.', {
          code: 'website.bad_redirect_target',
        });
        throw beside('url_to', refusal);
      }
      await this.#refuseTwins(row);
      await this.#refuseLoops(row);
    }
  }

  /** Where an address leads in the end on a site, or null; chains are followed to their end. */
  async target(path: string, websiteId: Id | null): Promise<RedirectTarget | null> {
    const steps: RedirectTarget[] = [];
    const seen = new Set<string>();
    for (let next = path; steps.length < mostSteps && !seen.has(next); ) {
      const step = await this.#step(next, websiteId);
      if (!step) break;
      steps.push({ to: step.url_to, forGood: step.type === '301' });
      seen.add(next);
      if (!step.url_to.startsWith('/')) break;
      next = pathOf(step.url_to);
    }
    const last = steps.at(-1);
    return last ? { to: last.to, forGood: steps.every(({ forGood }) => forGood) } : null;
  }

  /** A page moved: its old address leads to the new one (if wanted), whatever led to the old one leads there too, and nothing leads away from it. */
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

  /** Takes out redirects from addresses at which there are pages now. */
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

  /** Takes out redirects to pages that are about to go. */
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

  /** One step: the site's own redirect before one of all sites. */
  async #step(path: string, websiteId: Id | null) {
    const rows = await this.find(
      ['&', ['url_from', '=', path], '|', ['website_id', '=', null], ['website_id', '=', websiteId]],
      { select: { url_to: true, type: true, website_id: true } },
    );
    return rows.find(({ website_id }) => website_id !== null) ?? rows[0];
  }

  #checkFrom(path: string): void {
    const owner = path === '/' ? 'website' : this.ctx.get(routes).ownerOf(path);
    if (/^\/(?![/\\])/.test(path) && owner === null) return;
    const refusal =
      owner === null
        ? new InvalidInput('The old address is a path of this site that begins with a slash.', {
            code: 'website.bad_redirect',
          })
        : new InvalidInput('This address belongs to the addon “{addon}”. Choose another one.', {
            code: 'website.address_of_addon',
            params: { addon: owner },
          });
    throw beside('url_from', refusal);
  }

  async #refuseTwins({ id, url_from, website_id }: RedirectRow): Promise<void> {
    const twins = [
      ['url_from', '=', url_from],
      ['website_id', '=', website_id],
      ['id', '!=', id],
    ] as const;
    const websites = await this.ctx.sudo().model('website').search([]); // Redirects of one site and of all sites share them.
    if ((await this.invariant('website', websites, () => this.count(twins))) === 0) return;
    const refusal = new InvalidInput('There is a redirect from this address already.', {
      code: 'website.redirect_twice',
    });
    throw beside('url_from', refusal);
  }

  async #refuseLoops({ url_from, url_to, website_id }: RedirectRow): Promise<void> {
    const seen = new Set<string>();
    for (let next = pathOf(url_to); url_to.startsWith('/') && !seen.has(next); ) {
      if (next === url_from) {
        const refusal = new InvalidInput('This would lead visitors round in a circle.', {
          code: 'website.redirect_loop',
        });
        throw beside('url_to', refusal);
      }
      seen.add(next);
      const step = await this.#step(next, website_id);
      if (!step?.url_to.startsWith('/')) return;
      next = pathOf(step.url_to);
    }
  }
}

/** Where an address leads, and whether browsers and search engines may remember it. */
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

/** The path of an address, without query and anchor. */
function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Old addresses are kept as browsers send them: encoded, without query, and without a slash at the end. */

/** A path as requests carry it; a text that is no path stays as it is. */
export function encodedPath(text: string): string {
  const path = pathOf(text.trim());
  const url = path.startsWith('/') ? URL.parse(`http://site.invalid${path}`) : null;
  return url?.host === 'site.invalid' ? url.pathname.replace(/(?<=.)\/+$/, '') : path;
}

declare module '#core' {
  interface Models {
    'website.redirect': WebsiteRedirect;
  }
}
