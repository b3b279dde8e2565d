import { META, type RowMeta } from 'pergola/orm';
import { shortened } from './shortened.ts';

/** Letters of a description that search engines show. */
const DESCRIPTION = 160;

/** What a page tells search engines and those who share its link, as `seo` among the values of its template. All of it is optional. */
export interface SeoValues {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly keywords?: string | null;
  /** A picture's path on this site, or whole address. */
  readonly image?: string | null;
  /** Open Graph's word for what the page is about. Default `website`. */
  readonly type?: 'website' | 'article' | 'profile' | 'product' | 'event';
  /** Keeps the page out of search engines. */
  readonly noindex?: boolean;
  /** The path (without language) under which the page is to be known, with the query that is part of it; the path asked for when left out. */
  readonly canonical?: string;
  /** The way to the page from the top, without the home page; paths without language. */
  readonly breadcrumbs?: readonly { readonly name: string; readonly url: string }[];
  /** Feeds about what the page shows, for feed readers to find; paths without language. */
  readonly feeds?: readonly { readonly title: string; readonly path: string }[];
  /** More about the page in schema.org's words: `{ '@type': 'Event', … }`. */
  readonly jsonLd?: readonly object[];
  /** The record that the page is about, as the SEO dialog names it: `website.page(4,)`. */
  readonly main_object?: string;
}

/** What a `find` has to select so that {@link seoOf} finds everything. */
export const seoSelect = {
  website_meta_title: true,
  website_meta_description: true,
  website_meta_keywords: true,
  website_meta_og_img: true,
} as const;

interface SeoRow {
  readonly website_meta_title: string | null;
  readonly website_meta_description: string | null;
  readonly website_meta_keywords: string | null;
  readonly website_meta_og_img: string | null;
}

/**
 * The SEO of a record that mixes in `Seo`; what it leaves empty is filled from `fallback`.
 *
 * ```ts
 * const post = await ctx.model(Post).get(id, { select: { ...seoSelect, name: true } });
 * return render('forum.post', { post, seo: seoOf(post, { title: post.name, type: 'article' }) });
 * ```
 */
export function seoOf(row: SeoRow, fallback: SeoValues = {}): SeoValues {
  const meta = META in row ? (row[META] as RowMeta) : null;
  return {
    ...fallback,
    title: row.website_meta_title || fallback.title,
    description: row.website_meta_description || shortened(fallback.description ?? '', DESCRIPTION) || null,
    keywords: row.website_meta_keywords || fallback.keywords,
    image: row.website_meta_og_img || fallback.image,
    ...(meta ? { main_object: `${meta.model}(${meta.id},)` } : {}),
  };
}
