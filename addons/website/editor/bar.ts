import { type Ctx, fragment, type RequestView } from 'pergola';
import { namedCache } from 'pergola/kernel';
import type { RenderingRule } from 'pergola/pages';
import { WebsitePage } from '../models/website-page.ts';
import { languagePath, plainPath } from '../services/address.ts';
import { edits, isEditor } from './rights.ts';

/** Editor bar; empty for users who can't edit. Its menu depends on the page. */
export const editorBar = fragment('website.editor_bar', {
  template: 'website.editor_bar',
  load: async (ctx: Ctx, request: RequestView) => {
    if (!isEditor(ctx)) return { editor: null };
    const pages = ctx.model(WebsitePage);
    const page = request.path === '/' ? await pages.home() : await pages.at(request.path);
    const { lang, timezone, siteTimezone } = ctx;
    return { editor: { page, lang, timezone, siteTimezone, languages: languagesOf(ctx, request.url) } };
  },
});

/** Languages of the site with the link to this page in each, or null if there is only one. */
function languagesOf(ctx: Ctx, url: string): string | null {
  const site = ctx.attributes.website;
  if (!site || site.languages.length < 2) return null;
  const currentPath = plainPath(site, url.replace(/[?#].*$/s, ''));
  return JSON.stringify(
    site.languages.map(({ code, name }) => ({
      code,
      name,
      href: languagePath(site, currentPath, { from: ctx.lang, to: code }),
    })),
  );
}

/** Building blocks, and the parts that contain them, have classes with these prefixes. */
const building = /\bclass="(?:[^"]* )?(?:s_|site-|slides\b)/;

/** Less common blocks have their own stylesheet. */
const rarer =
  /\bclass="(?:[^"]* )?(?:s_(?:hero|split|callout|steps|timeline|figure|progress|prices?|best|panel|said|tabs|wall|logos_run|downloads|list|popup|float_end|float_start|float_image|image_floating|big_picture|plate|separator|grid|gallery|faq|media|parallax_slider)|site-people|site-article)\b/;

/** Options of building blocks have their own stylesheet too. */
const options = /\bclass="(?:[^"]* )?o-/;

const sheets = [
  { id: 'website.snippets', classes: building },
  { id: 'website.blocks', classes: rarer },
  { id: 'website.options', classes: options },
];

/** Cached by HTML, since the same contents are rendered repeatedly. */
const stylesheetsOf = namedCache<string, readonly string[]>('website.content_styles', {
  maxSize: 2_000_000,
  sizeCalculation: (_ids, html) => html.length + 100,
  memoMethod: (html) => sheets.flatMap(({ id, classes }) => (classes.test(html) ? [id] : [])),
});

/** Marks the editable parts of each page for editors; `?enable_editor=1` renders the page for editing. */
export const editorMarks: readonly RenderingRule[] = [
  {
    marks: edits,
    stylesheets: (html, edited) => (edited ? sheets.map(({ id }) => id) : stylesheetsOf.memo(html)),
    editor: (ctx, { url }) => isEditor(ctx) && new URL(url, 'http://site').searchParams.has('enable_editor'),
  },
];
