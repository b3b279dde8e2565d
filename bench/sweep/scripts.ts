import { routes } from '@pergola/http';
import { models } from '@pergola/orm';
import { startBrowser } from '../../tools/testing/browser.ts';
import { expectNone, filled, isCall, type Sweep, type SweepCheck } from './site.ts';

/** Each calls `hit` if it is taken for markup or code, and shows `7006652` if a template evaluates it. */
const vectors = [
  `"><img src=x onerror=hit()><script>hit()</script><svg onload=hit()>{{1234*5678}}`,
  `javascript:hit()//"onfocus=hit() autofocus x='`,
  `'-hit()-'</script><script>hit()</script><iframe srcdoc="<script>parent.hit()</script>">`,
  `<a href="javascript:hit()">x</a><details open ontoggle=hit()>{{#with this}}{{lookup . 'constructor'}}{{/with}}`,
];
const reflected = /<img src=x onerror=hit|<svg onload=hit|<script>hit|(href|src|action)="javascript:hit|7006652/;
/** Fields that don't hold free text, or that the sweep itself needs. */
const excludedNames = /^(code|state|model|res_model|key|lang|timezone|tz|symbol|login|display_name)$/;

/** Writes a vector into every text field of the first records of every model; returns how many fields accepted one. */
async function poison({ app }: Sweep): Promise<number> {
  const registry = app.application.generation.get(models);
  let acceptedCount = 0;
  for (const model of registry.models.values()) {
    if (/^(res\.lang|core\.|ir\.)/.test(model.name)) continue;
    const fields = [...model.fields.values()].filter(
      ({ name, type, secret, options }) =>
        ['char', 'text', 'html'].includes(type) &&
        !secret &&
        !excludedNames.test(name) &&
        !options.compute &&
        !options.related,
    );
    const ids = await app.read((ctx) => registry.model(ctx.sudo(), model.name).search([], { limit: 4 }));
    for (const { name } of fields) {
      for (const [index, id] of ids.entries()) {
        const text = vectors[(index + (/url|link|href/.test(name) ? 1 : 0)) % vectors.length];
        // A refused value is never shown.
        await app
          .write((ctx) => registry.model(ctx.sudo(), model.name).write([id], { [name]: text }))
          .then(
            () => {
              acceptedCount += 1;
            },
            () => {},
          );
      }
    }
  }
  return acceptedCount;
}

/** Visits a visitor's pages, up to four per route, without the policy that would block scripts; returns the pages where one ran. */
async function crawl(
  sweep: Sweep,
  cookies: string,
  first: readonly string[],
): Promise<{ pages: number; hits: string[] }> {
  const { app } = sweep;
  const browser = await startBrowser();
  const { page, context } = await browser.openPage({ baseUrl: app.url });
  const hits: string[] = [];
  let hit = false;
  await page.exposeFunction('hit', () => {
    hit = true;
  });
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    const headers = Object.fromEntries(
      Object.entries(response.headers()).filter(([name]) => !name.includes('security-policy')),
    );
    return route.fulfill({ response: response, headers });
  });
  const pairs = cookies.split('; ').filter(Boolean);
  await context.addCookies(
    pairs.map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1), url: app.url })),
  );
  const [seen, perRoute, queue] = [new Set<string>(), new Map<string, number>(), [...first]];
  for (let path = queue.shift(); path !== undefined && seen.size < 400; path = queue.shift()) {
    if (seen.has(path) || /logout|\/web\/binary|\.(pdf|ics|po|csv|xml)$/.test(path)) continue;
    const bare = path.split(/[?#]/)[0]?.replace(/^\/fr(?=\/|$)/, '') || '/';
    const name = app.application.generation.get(routes).match('GET', bare)?.bound.route.path ?? bare;
    const key = path.startsWith('/fr') ? `fr ${name}` : name;
    if (!path.includes('#') && (perRoute.get(key) ?? 0) >= 4) continue;
    perRoute.set(key, (perRoute.get(key) ?? 0) + 1);
    seen.add(path);
    hit = false;
    if (path.includes('#')) await page.goto('about:blank');
    await page.goto(path, { waitUntil: path.includes('#') ? 'networkidle' : 'load' }).catch(() => {});
    await page.waitForTimeout(path.includes('#') ? 250 : 60);
    const { marks, links } = await page.evaluate(() => ({
      marks: [...document.querySelectorAll('*')].filter(
        (element) =>
          [...element.attributes].some(
            ({ name, value }) =>
              /^on/i.test(name) ||
              (/^(href|src|action|formaction|data|poster)$/.test(name) && /^\s*(javascript|vbscript):/i.test(value)),
          ) || element.hasAttribute('srcdoc'),
      ).length,
      links: [...document.querySelectorAll('a[href^="/"]')].map(
        (link) => link.getAttribute('href')?.split('#')[0] ?? '',
      ),
    }));
    if (hit || marks > 0 || (await page.content()).includes('7006652')) hits.push(path);
    queue.push(...links);
  }
  await browser.close();
  return { pages: seen.size, hits };
}

const stored: SweepCheck = {
  id: 'C35',
  title: 'Scripts in every field, without a policy that stops them (with C37)',
  async run(sweep) {
    const acceptedCount = await poison(sweep);
    const names = [...sweep.app.application.generation.get(models).models.keys()];
    const screens = names.flatMap((name) =>
      ['list', 'form&id=1'].map((view) => `/web#model=${name}&view_type=${view}`),
    );
    const visitor = await crawl(sweep, '', ['/', '/shop', '/event', '/forum']);
    const staff = await crawl(sweep, sweep.admin.cookieHeader, ['/', '/my/orders', '/web/account', ...screens]);
    return [
      { label: 'fields that accepted one', value: String(acceptedCount), limit: '–', holds: acceptedCount > 0 },
      expectNone('pages of visitors on which something ran', visitor.pages, visitor.hits),
      expectNone('pages and screens of staff on which something ran', staff.pages, staff.hits),
    ];
  },
};

const reflectedInput: SweepCheck = {
  id: 'C36',
  title: 'Scripts in addresses and forms',
  async run(sweep) {
    const names =
      `q page search name email order attrib tag filters sort r redirect message qty title content token code login
      city date week team category keyword displayed lang step t enable_editor view type error pricelist from to debug`.split(
        /\s+/,
      );
    const texts = [
      '<img src=x onerror=hit()>',
      '"><svg onload=hit()>',
      '</script><script>hit()</script>',
      'javascript:hit()',
      '{{1234*5678}}',
    ];
    const violations: string[] = [];
    let tryCount = 0;
    for (const route of sweep.routes.filter((route) => !isCall(route))) {
      for (const text of texts) {
        for (const segment of ['1', text]) {
          const client = tryCount % 2 && !/logout/.test(route.path) ? sweep.admin : sweep.stranger();
          const response = await sweep.ask(
            client,
            route,
            filled(route.path, segment),
            Object.fromEntries(names.map((name) => [name, text])),
          );
          tryCount += 1;
          if (/html/.test(response.headers.get('content-type') ?? '') && reflected.test(response.text))
            violations.push(`${route.path} ${text}`);
        }
      }
    }
    return [expectNone('responses that repeat them as markup', tryCount, violations)];
  },
};

export const scriptChecks: readonly SweepCheck[] = [reflectedInput, stored];
