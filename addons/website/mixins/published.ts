import { type Ctx, type Domain, type FieldsOf, f, type Id, type Ids, type ModelRef, mixin, rule } from 'pergola';
import type { RecordRule } from 'pergola/orm';

/**
 * Records with a place on the website that are shown to visitors once somebody published them. The model says where they are:
 *
 * ```ts
 * override async websiteUrls(ids: Ids): Promise<Map<Id, string>> { … }   // paths without language: /forum/help-1
 * ```
 *
 * Rights come with `publishedRules`; the toggle is the partial `website.publish_management`.
 */
export const Published = mixin(
  'website.published',
  {
    website_published: f.boolean({ label: 'Published', copy: false, tracked: true, index: true }),
    website_url: f.char({ compute: 'websiteUrls', label: 'Address on the website' }),
  },
  (Base) =>
    class extends Base {
      /** Where the records are on the website, as paths without language. */
      async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
        return new Map(ids.map((id) => [id, '#']));
      }
    },
  { publishable: true },
);

type PublishedFields = Pick<FieldsOf<InstanceType<typeof Published>>, 'website_published'>;

/**
 * The record rules of a model that mixes in `Published`: visitors and customers read what is published, on this website where the model has a
 * `website_id` (`websites: true`); employees read everything. `more` narrows what visitors see further.
 *
 * ```ts
 * rules: [...publishedRules('forum.published', Forum, { websites: true })]
 * ```
 */
export function publishedRules<I extends { readonly $fields?: PublishedFields }>(
  id: string,
  model: ModelRef<I>,
  about: { websites?: boolean; more?: (ctx: Ctx) => Domain<FieldsOf<I>> } = {},
): RecordRule[] {
  const { websites = false, more = () => [] } = about;
  const visible = (ctx: Ctx): Domain<FieldsOf<I>> =>
    [['website_published', '=', true], ...(websites ? onWebsite(ctx) : []), ...more(ctx)] as Domain<FieldsOf<I>>;
  return [
    rule(id, model, { groups: ['base.group_public', 'base.group_portal'], operations: 'r', domain: visible }),
    rule(`${id}_all`, model, { groups: ['base.group_user'], operations: 'r', domain: () => [] }),
  ];
}

/** Condition on `website_id`: records of all websites and those of one; empty where no website is asked for. */
export type OnSite = readonly ['|', readonly ['website_id', '=', null], readonly ['website_id', '=', Id]] | readonly [];

/** A domain for records of the site of the request and of all sites; empty where no request is. For models with a `website_id`. */
export function onWebsite(ctx: Ctx): OnSite {
  return onSite(ctx.attributes.website?.id ?? null);
}

/** The same by the site's id, for values that are kept. */
export function onSite(site: Id | null): OnSite {
  return site === null ? [] : ['|', ['website_id', '=', null], ['website_id', '=', site]];
}
