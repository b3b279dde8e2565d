import { type Ctx, type Domain, type FieldsOf, f, type Id, type Ids, type ModelRef, mixin, rule } from 'pergola';
import type { RecordRule } from 'pergola/orm';

/**
 * Records with a page on the website, visible to visitors once published. The model returns their paths:
 *
 * ```ts
 * override async websiteUrls(ids: Ids): Promise<Map<Id, string>> { … }   // paths without language: /forum/help-1
 * ```
 *
 * Add access rules with `publishedRules`, and the toggle with the partial `website.publish_management`.
 */
export const Published = mixin(
  'website.published',
  {
    website_published: f.boolean({ label: 'Published', copy: false, tracked: true, index: true }),
    website_url: f.char({ compute: 'websiteUrls', label: 'Address on the website' }),
  },
  (Base) =>
    class extends Base {
      /** Paths of the records on the website, without language. */
      async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
        return new Map(ids.map((id) => [id, '#']));
      }
    },
  { publishable: true },
);

type PublishedFields = Pick<FieldsOf<InstanceType<typeof Published>>, 'website_published'>;

/**
 * Record rules for a model with `Published`: visitors and customers can read published records, on the current website if the model has a
 * `website_id` (`websites: true`); employees can read everything. `more` restricts visitors further.
 *
 * ```ts
 * rules: [...publishedRules('forum.published', Forum, { websites: true })]
 * ```
 */
export function publishedRules<I extends { readonly $fields?: PublishedFields }>(
  id: string,
  model: ModelRef<I>,
  options: { websites?: boolean; more?: (ctx: Ctx) => Domain<FieldsOf<I>> } = {},
): RecordRule[] {
  const { websites = false, more = () => [] } = options;
  const visible = (ctx: Ctx): Domain<FieldsOf<I>> =>
    [['website_published', '=', true], ...(websites ? onWebsite(ctx) : []), ...more(ctx)] as Domain<FieldsOf<I>>;
  return [
    rule(id, model, { groups: ['base.group_public', 'base.group_portal'], operations: 'r', domain: visible }),
    rule(`${id}_all`, model, { groups: ['base.group_user'], operations: 'r', domain: () => [] }),
  ];
}

/** Domain on `website_id`: records of all websites and of one; empty without a website. */
export type OnSite = readonly ['|', readonly ['website_id', '=', null], readonly ['website_id', '=', Id]] | readonly [];

/** Domain for records of the request's site and of all sites; empty outside requests. For models with a `website_id`. */
export function onWebsite(ctx: Ctx): OnSite {
  return onSite(ctx.attributes.website?.id ?? null);
}

/** Same for a site id, for stored values. */
export function onSite(site: Id | null): OnSite {
  return site === null ? [] : ['|', ['website_id', '=', null], ['website_id', '=', site]];
}
