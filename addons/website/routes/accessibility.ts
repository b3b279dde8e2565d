import { route } from 'pergola';
import type { FaultCount } from '../editor/checks.ts';
import { revisionOf } from '../editor/values.ts';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';

/** Maximum pages in the statement: the most recently checked. The others count as unchecked. */
const MAX_PAGES = 200;

/** Accessibility statement, generated from the latest check of each page. */
export const accessibilityPage = route.page(
  '/accessibility',
  { name: 'website.accessibility' },
  async ({ ctx, render }) => {
    // The list of visible pages is public; check results are restricted to editors, but published in this statement.
    const pages = ctx.sudo().model(WebsitePage);
    const visible = [...visibleNow(ctx), ...onWebsite(ctx)] as const;
    const latest = await pages.find([...visible, ['check_date', '!=', null]], {
      select: {
        name: true,
        website_url: true,
        content: true,
        check_date: true,
        check_faults: true,
        check_revision: true,
      },
      order: 'check_date desc, id',
      limit: MAX_PAGES,
    });
    const checked = latest.toSorted((a, b) => a.name.localeCompare(b.name, ctx.lang.replace('_', '-')));
    // A page is checked in its editor's language.
    const otherLanguages = (ctx.attributes.website?.languages ?? []).filter(({ code }) => code !== ctx.lang);
    const translations = await Promise.all(
      otherLanguages.map(({ code }) =>
        ctx
          .sudo()
          .as({ lang: code })
          .model(WebsitePage)
          .read(
            checked.map(({ id }) => id),
            { select: { content: true } },
          ),
      ),
    );
    const texts = Map.groupBy([...checked, ...translations.flat()], ({ id }) => id);
    const fresh = checked.filter(({ id, check_revision }) =>
      texts.get(id)?.some(({ content }) => check_revision === revisionOf(content)),
    );
    const dates = checked.flatMap(({ check_date }) => check_date ?? []).sort((a, b) => Number(b) - Number(a));
    const results = fresh.map(({ name, website_url, check_faults }) => ({
      name,
      url: website_url ?? '/',
      rules: ((check_faults ?? []) as readonly FaultCount[])
        // Translations, image sizes and dead links aren't accessibility issues.
        .filter(({ rule }) => rule !== 'languages' && rule !== 'pictures' && rule !== 'links')
        .map(({ rule, count }) => ({ count, [rule]: true })),
    }));
    const site = ctx.attributes.website;
    return render('website.accessibility', {
      site: site?.name ?? '',
      company: site?.company ?? null,
      checked: fresh.length,
      changed: checked.length - fresh.length,
      unchecked: (await pages.count([...visible])) - checked.length,
      date: dates[0] ?? null,
      faulty: results.filter(({ rules }) => rules.length > 0),
    });
  },
);
