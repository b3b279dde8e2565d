import { NotFound, type Reply, redirect, reply, route, z } from 'pergola';
import { pictureOf } from '../blocks/head.ts';
import { originOf } from '../services/current-website.ts';
import { closedPaths } from '../services/robot-rules.ts';
import { sitemapFile, sitemapFiles } from '../services/sitemap.ts';

const xml = { 'content-type': 'application/xml; charset=utf-8' };

/** `/sitemap.xml`: the sitemap of a small site, or the sitemap index. */
export const sitemap = route.page(
  '/sitemap.xml',
  { name: 'website.sitemap', multilang: false },
  async ({ ctx, render }) => {
    const count = await sitemapFiles(ctx);
    if (count === 1) return asXml(render('website.sitemap', { addresses: (await sitemapFile(ctx, 1)) ?? [] }));
    const origin = originOf(ctx, ctx.attributes.website);
    const files = Array.from({ length: count }, (_, index) => `${origin}/sitemap-${index + 1}.xml`);
    return asXml(render('website.sitemap_index', { files }));
  },
);

/** Single sitemap file. */
export const sitemapPart = route.page(
  '/sitemap-:file(^\\d{1,5}).xml',
  { name: 'website.sitemap_file', multilang: false, params: { file: z.coerce.number().int().positive() } },
  async ({ ctx, params, render }) => {
    const addresses = await sitemapFile(ctx, params.file);
    if (!addresses) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
    return asXml(render('website.sitemap', { addresses }));
  },
);

function asXml(page: Reply): Reply {
  return page.kind === 'page' ? { ...page, headers: xml } : page;
}

/** `/robots.txt` */
export const robots = route.http('/robots.txt', { name: 'website.robots', method: 'GET' }, ({ ctx }) => {
  const site = ctx.attributes.website;
  if (site?.indexed === false) return reply.text('User-agent: *\nDisallow: /\n');
  const open = ['/web/binary/image', '/web/image/', '/web/content/'];
  const lines = [
    'User-agent: *',
    ...open.map((path) => `Allow: ${path}`),
    ...closedPaths(ctx).map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${originOf(ctx, site)}/sitemap.xml`,
    '',
  ];
  return reply.text(lines.join('\n'));
});

/** Browsers request this path automatically. */
export const favicon = route.http('/favicon.ico', { name: 'website.favicon', method: 'GET' }, ({ ctx }) =>
  redirect(pictureOf(ctx.attributes.website, 'favicon', 48) ?? '/website/static/icon-48.png', 302),
);
export const touchIcon = route.http('/apple-touch-icon.png', { name: 'website.touch_icon', method: 'GET' }, ({ ctx }) =>
  redirect(pictureOf(ctx.attributes.website, 'favicon', 180) ?? '/website/static/icon-180.png', 302),
);

/** `/manifest.webmanifest`: web app manifest of the site. */
export const manifest = route.http('/manifest.webmanifest', { name: 'website.manifest', method: 'GET' }, ({ ctx }) => {
  const site = ctx.attributes.website;
  const icon = (size: number) => ({
    src: pictureOf(site, 'favicon', size) ?? `/website/static/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  });
  const content = {
    name: site?.name ?? 'Website',
    short_name: (site?.name ?? 'Website').slice(0, 12),
    start_url: '/',
    display: 'minimal-ui',
    background_color: site?.look.ground.light,
    theme_color: site?.look.ground.light,
    icons: [icon(192), icon(512)],
  };
  return reply.body(JSON.stringify(content), 'application/manifest+json; charset=utf-8');
});
