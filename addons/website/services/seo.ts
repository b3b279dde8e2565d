import { META, type RowMeta } from 'pergola/orm';
import { shortened } from './shortened.ts';

/** Maximum description length that search engines show. */
const DESCRIPTION = 160;

/** Metadata for search engines and link previews, passed as `seo` to the template. All values are optional. */
export interface SeoValues {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly keywords?: string | null;
  /** Path of an image on this site, or an absolute URL. */
  readonly image?: string | null;
  /** Open Graph type. Default `website`. */
  readonly type?: 'website' | 'article' | 'profile' | 'product' | 'event';
  /** Excludes the page from search engines. */
  readonly noindex?: boolean;
  /** Canonical path (without language), including a significant query; by default the requested path. */
  readonly canonical?: string;
  /** Breadcrumbs, without the home page; paths without language. */
  readonly breadcrumbs?: readonly { readonly name: string; readonly url: string }[];
  /** Feeds of the page, for autodiscovery; paths without language. */
  readonly feeds?: readonly { readonly title: string; readonly path: string }[];
  /** Additional schema.org data: `{ '@type': 'Event', … }`. */
  readonly jsonLd?: readonly object[];
  /** Record of the page, in the SEO dialog's notation: `website.page(4,)`. */
  readonly main_object?: string;
}

/** Fields that {@link seoOf} needs. */
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
 * SEO values of a record with `Seo`; empty fields are taken from `fallback`.
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
