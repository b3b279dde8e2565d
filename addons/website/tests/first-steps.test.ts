import { createTestApp, type TestApp } from 'pergola/testing';
import { Website } from '../models/website.ts';
import { WebsitePage } from '../models/website-page.ts';

interface Dashboard {
  readonly widgets: readonly {
    readonly id: string;
    readonly content: { readonly lines: readonly { readonly label: string; readonly done: boolean }[] } | null;
  }[];
}

describe('The first steps of a website', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'] });
  });
  afterAll(() => app.close());

  const isDone = async (label: string) => {
    const { widgets } = await (await app.as('admin')).rpc<Dashboard>('/web/backend/dashboard', {});
    const lines = widgets.find(({ id }) => id === 'web.first_steps')?.content?.lines ?? [];
    return lines.find((line) => line.label === label)?.done;
  };

  it('are crossed out once the site has a logo, and once somebody has changed a page', async () => {
    const steps = ['Add your website’s name and logo', 'Customise your home page'] as const;
    expect([await isDone(steps[0]), await isDone(steps[1])]).toEqual([false, false]);
    await app.write(async (ctx) => {
      const logo = await ctx.files.put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {
        name: 'logo.svg',
        mimetype: 'image/svg+xml',
      });
      await ctx.model(Website).write(await ctx.ref('website.default_website'), { logo });
    });
    expect([await isDone(steps[0]), await isDone(steps[1])]).toEqual([true, false]);
    const [page = 0] = await app.read((ctx) => ctx.model(WebsitePage).search([]));
    const args = [[page], { name: 'Welcome' }];
    await (await app.as('admin')).rpc('/web/dataset/call_kw', {
      model: 'website.page',
      method: 'write',
      args,
      kwargs: {},
    });
    expect(await isDone(steps[1])).toBe(true);
  });
});
