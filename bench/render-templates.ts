/**
 * Overhead of the template set: renders a page of 20 cards (19 KB, partials, a layout, localised links) and compares it with the same
 * sources compiled by Handlebars alone. Limit: 1.15 times its CPU.
 */
import Handlebars from 'handlebars';
import { build, renderContext } from '../packages/pages/tests/support.ts';

const lorem =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris.';
const sources: Readonly<Record<string, string>> = {
  'shop.layout': `<!doctype html>
<html lang="en"><head><title>{{title}}</title><meta name="description" content="{{description}}"></head>
<body><header id="top"><nav class="navbar"><ul>{{#each menus}}<li class="nav-item"><a class="nav-link" href="/{{path}}">{{name}}</a></li>{{/each}}</ul></nav></header>
<main id="wrap">{{> @partial-block}}</main>
<footer class="footer"><p>Copyright {{year}} {{company}}</p><p>${lorem}</p></footer></body></html>`,
  'shop.card': `<article class="card h-100" data-id="{{id}}">
  <a class="card-link" href="/shop/product/{{slug}}"><img class="card-img-top" src="/web/image/{{id}}" alt="{{name}}" width="300" height="300" loading="lazy"></a>
  <div class="card-body"><h3 class="card-title"><a href="/shop/product/{{slug}}">{{name}}</a></h3>
  <p class="card-text">{{description}}</p>
  {{#if sale}}<span class="badge bg-danger">Sale</span>{{/if}}
  <ul class="list-inline">{{#each tags}}<li class="list-inline-item">{{this}}</li>{{/each}}</ul>
  <p class="price"><b>{{price}}</b> {{#if old}}<s>{{old}}</s>{{/if}}</p>
  <button type="submit" class="btn btn-primary">Add to cart</button></div>
</article>`,
  'shop.page': `{{#> shop.layout}}<h1>{{heading}}</h1><div class="row" id="products">{{#each products}}<div class="col-md-3">{{> shop.card}}</div>{{/each}}</div>{{/shop.layout}}`,
};
const values = {
  title: 'Shop',
  description: lorem,
  heading: 'Products',
  year: 2026,
  company: 'Pergola',
  menus: [1, 2, 3, 4, 5].map((n) => ({ path: `m${n}`, name: `Menu ${n}` })),
  products: Array.from({ length: 20 }, (_, n) => ({
    id: n,
    slug: `product-${n}`,
    name: `Product "${n}" & co`,
    description: `${lorem.slice(0, 180)}${n % 2 ? ' <b>' : ''}`,
    sale: n % 3 === 0,
    tags: ['red', 'blue', 'green'],
    price: '1 234,00 €',
    old: n % 2 ? '1 500,00 €' : null,
  })),
};
const context = renderContext();

const handlebars = Handlebars.create();
for (const [name, source] of Object.entries(sources)) handlebars.registerPartial(name, handlebars.compile(source));
const plain = handlebars.compile(sources['shop.page']);
const templates = Object.entries(sources).map(([id, source]) => ({ id, file: `templates/${id}.hbs`, source }));
const set = build([{ name: 'shop', templates, patches: [] }]);
if (set.problems.length > 0) throw new Error(JSON.stringify(set.problems));

const cases = { plain: () => plain(values), pergola: () => set.templates.render('shop.page', values, context) };
if (cases.plain() !== cases.pergola()) throw new Error('Both must render the same page.');

/** CPU per render in microseconds. */
function cost(render: () => string, times: number): number {
  const cpuStart = process.cpuUsage();
  for (let n = 0; n < times; n++) render();
  const { user, system } = process.cpuUsage(cpuStart);
  return (user + system) / times;
}
const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

for (const render of Object.values(cases)) cost(render, 3000);
const rounds = Array.from({ length: 15 }, () => ({
  plain: cost(cases.plain, 1500),
  pergola: cost(cases.pergola, 1500),
}));
const ratio = median(rounds.map(({ plain, pergola }) => pergola / plain));
console.log(`page                ${cases.plain().length} bytes`);
console.log(`Handlebars alone    ${median(rounds.map(({ plain }) => plain)).toFixed(1)} µs`);
console.log(`template set        ${median(rounds.map(({ pergola }) => pergola)).toFixed(1)} µs`);
console.log(`ratio               ${ratio.toFixed(3)} (limit 1.15)`);
