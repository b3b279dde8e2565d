import { f, mixin } from 'pergola';

/** SEO and link preview texts of a record's page; empty fields are filled from the record. */
export const Seo = mixin('website.seo', {
  website_meta_title: f.char({ size: 70, translate: true, label: 'Title for search engines' }),
  website_meta_description: f.char({ size: 160, translate: true, label: 'Description for search engines' }),
  website_meta_keywords: f.char({ translate: true, label: 'Keywords' }),
  website_meta_og_img: f.char({ size: 1024, label: 'Picture for shared links' }),
});
