import { createServer, type Server } from 'node:http';
import { withBrowser } from '../browser.ts';
import { runTour } from '../tour.ts';

const shop = `<form action="/thanks"><label>Name <input name="name"></label><label>City <input name="city" value="Lyon"></label>
  <label>Size <select name="size"><option value="">–</option><option value="l">Large</option></select></label>
  <p hidden><button id="send">Hidden</button></p><button id="send">Send</button></form>
  <script>setTimeout(() => document.body.classList.add('ready'), 200)</script>`;
const thanks =
  '<h1>Thank you</h1><p class="busy">…</p><script>setTimeout(() => document.querySelector(".busy").remove(), 200)</script>';

let server: Server;
let baseUrl = '';
const requestedUrls: string[] = [];
const browser = withBrowser();

beforeAll(async () => {
  server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Shop</title><body>${request.url?.startsWith('/thanks') ? thanks : shop}</body>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  requestedUrls.length = 0;
});

const buy: Parameters<typeof runTour>[1] = {
  id: 'shop.buy',
  path: '/shop',
  steps: [
    { title: 'Welcome' },
    { element: '[name=name]', waitFor: 'body.ready', title: 'Your name', action: 'type', text: 'Ada' },
    { element: '[name=city]', title: 'Your city', action: 'type', text: 'Paris', onlyIfEmpty: true },
    { element: '[name=size]', title: 'The size', action: 'select', text: 'Large' },
    { element: '#send', title: 'Send it' },
    { element: 'h1', waitNot: '.busy', title: 'Done', action: 'none' },
  ],
};

test('A tour is walked as a person would: things that can be seen, in the order of its steps, over several pages', async () => {
  const { page } = await browser.openPage({ baseUrl });
  const titles: string[] = [];
  await runTour(page, buy, { onStep: ({ title }) => void titles.push(title) });
  expect(titles).toEqual(buy.steps.map(({ title }) => title));
  expect(requestedUrls.filter((url) => url.startsWith('/thanks'))).toEqual(['/thanks?name=Ada&city=Lyon&size=l']);
  expect(await page.locator('.busy').count()).toBe(0);
});

test('A tour that does not go on says at which step, and on which page', async () => {
  const { page } = await browser.openPage({ baseUrl });
  const stuck = { ...buy, steps: [...buy.steps, { element: '#again', title: 'Buy again' }] };
  await expect(runTour(page, stuck, { timeout: 3_000 })).rejects.toThrow(
    /^Tour "shop\.buy" stops at step 7, “Buy again”, on http:\/\/127\.0\.0\.1:\d+\/thanks\?/,
  );
});
