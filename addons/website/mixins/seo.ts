import { f, mixin } from 'pergola';

/** SEO and link preview texts of a record's page; empty fields are filled from the record. */
export const Seo = mixin('website.seo', {
  website_meta_title: f.char({ size: 70, translate: true, label: 'SEO title' }),
  website_meta_description: f.char({ size: 160, translate: true, label: 'SEO description' }),
  website_meta_keywords: f.char({ translate: true, label: 'Keywords' }),
  website_meta_og_img: f.char({ size: 1024, label: 'Social sharing image' }),
});
