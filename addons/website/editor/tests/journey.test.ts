import { createTestApp, expectAccessible, type TestApp, until, withBrowser } from 'pergola/testing';
import { allSnippets, makePage } from '../../snippets/tests/kit.ts';

const browser = withBrowser();

describe('an editor makes a page their own', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], demo: true });
    const snippets = await allSnippets(app);
    const parts = [
      'split',
      'two_columns',
      'table',
      'tabs',
      'pros_and_cons',
      'quotes_slider',
      'features',
      'call_to_action',
    ].map((name) => snippets.get(`website.${name}`) ?? '');
    await makePage(app, '/made', `<h1>Made</h1>${parts.join('\n')}<div data-block="website.page_list"></div>`);
  });
  afterAll(() => app?.close());

  const signIn = async (login: string) => {
    const opened = await browser.openPage({ baseUrl: app.url, width: 1280 });
    await opened.page.goto('/web/login');
    await opened.page.fill('#login', login);
    await opened.page.fill('#password', login);
    await opened.page.press('#password', 'Enter');
    await opened.page.waitForURL((url) => !url.pathname.includes('login'));
    return opened;
  };

  it('with grounds, edges, widths, pictures, words and tables, all of which is kept', async () => {
    const { page } = await signIn('editor');
    await page.goto('/made?enable_editor=1');
    await page.locator('.ed-bar').waitFor();
    // Collapsible contents and slides are all visible for editing.
    await page.locator('main .s_tabs details:not([open]) h2').first().waitFor();
    const second = page.locator('main .slide:nth-child(2)');
    await until(async () => ((await second.boundingBox())?.x ?? Number.POSITIVE_INFINITY) < 100);
    await page.locator('[data-name="website.split"] [data-ed-handle]').click();
    // The panel doesn't cover the selected block, on tablets either.
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForFunction(() => {
        const [frame, side] = ['.ed-frame', '.ed-panel'].map((name) =>
          document.querySelector(name)?.getBoundingClientRect(),
        );
        return (frame?.right ?? Infinity) < (side?.left ?? 0);
      });
    }
    await page.locator('[data-name="website.split"] h2').click();
    const tools = page.locator('.ed-tools');
    await until(() => tools.evaluate((element) => element.scrollWidth === element.clientWidth));
    await page.getByRole('tab', { name: 'Options' }).click();
    await expectAccessible(page, { include: ['.ed-panel'] });
    const section = page.locator('.ed-part').last();
    await section.locator('summary').click();
    await section.getByTitle('Main colour').click();
    await section.getByLabel('Bottom edge').selectOption('Wave');
    const edge = page.getByRole('slider', { name: 'Column width' });
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-name="website.split"] img').click();
    await page.getByLabel('Filter').selectOption('Sepia');
    await page.getByRole('textbox', { name: 'Link' }).fill('/contactus');
    await page.keyboard.press('Enter');
    await page.locator('[data-name="website.two_columns"] p').first().click();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar').getByLabel('Text colour').selectOption('Red');
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    const column = page.locator('[data-name="website.two_columns"] .row > *').first();
    await page.locator('.ed-part').first().getByLabel('Order on desktop').selectOption('Last');
    const left = (locator: typeof column) =>
      locator.evaluate((element) => Math.round(element.getBoundingClientRect().left));
    await until(async () => (await left(page.locator('.ed-frame'))) === (await left(column)));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-name="website.two_columns"] p').last().click();
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByRole('tab', { name: 'Address' }).click();
    await page.getByLabel('URL of an image').fill('/website/static/pictures/workshop.jpg');
    await page.keyboard.press('Enter');
    await page.getByLabel('Description', { exact: true }).fill('A workshop');
    await page.keyboard.press('Enter');
    await page.locator('[data-name="website.table"] td').first().click();
    await page.getByRole('button', { name: 'Insert row below' }).click();
    await page.locator('[data-name="website.tabs"] summary').first().click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    const list = page.locator('[data-name="website.pros_and_cons"] ul').first();
    const height = () => list.evaluate((element) => Math.round(element.getBoundingClientRect().height));
    const initialHeight = await height();
    await list.locator('li').last().click();
    await page.keyboard.type('!');
    expect(await height()).toBe(initialHeight);
    const filled = page.locator('main [data-block="website.page_list"]');
    // At the start, which doesn't move while images load.
    await filled.click({ position: { x: 4, y: 4 } });
    await page.getByRole('toolbar', { name: 'Block: Pages' }).getByRole('button', { name: 'Duplicate' }).click();
    await filled.nth(1).waitFor();
    await page.locator('[data-name="website.two_columns"] p').first().click();
    await page.getByLabel('Visibility').first().selectOption('Hidden on tablets');
    await page.getByRole('tab', { name: 'Blocks' }).click();
    await page.getByLabel('Where').selectOption({ index: 1 });
    await page.getByRole('searchbox', { name: 'Search' }).fill('Progress');
    await page.locator('[data-snippet="website.progress"]').click();
    await page.locator('.row > .o-not-tablet > .o-inside').waitFor();
    // Drags it manually into the other column.
    const box = async (locator: typeof column) => {
      await locator.scrollIntoViewIfNeeded();
      return boxNow(locator);
    };
    const boxNow = async (locator: typeof column) => {
      // Waits until images above have loaded and the element stops moving.
      await locator.hover({ trial: true });
      const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {};
      return [x + width / 2, y + height / 2] as const;
    };
    const targetBox = await box(page.locator('[data-name="website.two_columns"] .row > * > *').last());
    await page.mouse.move(...(await box(page.locator('[data-snippet="website.progress"]'))));
    await page.mouse.down();
    await page.mouse.move(...targetBox, { steps: 12 });
    await page.mouse.up();
    await page.locator('.row > :last-child > .o-inside').waitFor();
    // Drags a block from its column above a block in another column, and back.
    const dragged = page.locator('[data-name="website.two_columns"] .row > :first-child > .o-inside');
    const inColumns = await page.locator('main .o-inside').count();
    const aim = page.locator('[data-name="website.split"] h2');
    // Both are visible and far from the edges that scroll the page.
    await page.setViewportSize({ width: 1280, height: 1400 });
    await aim.evaluate((title) => title.scrollIntoView({ block: 'center' }));
    const target = await boxNow(aim);
    await dragged.hover();
    const grip = await boxNow(dragged.locator('> [data-ed-handle]'));
    await page.mouse.move(...grip);
    await page.mouse.down();
    await page.mouse.move(grip[0] + 8, grip[1] + 8, { steps: 3 });
    await page.mouse.move(...target, { steps: 12 });
    await page.mouse.up();
    const container = page.locator('[data-name="website.split"] .row .o-inside');
    await container.waitFor();
    await page.locator('.ed-block-name', { hasText: /^Progress$/ }).waitFor();
    expect(await page.locator('main .o-inside').count()).toBe(inColumns);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await dragged.waitFor();
    expect(await container.count()).toBe(0);
    await page.locator('.ed-block-name', { hasText: /^Progress$/ }).waitFor();
    // Tile: an image behind a column, with its text at the bottom.
    await page.locator('[data-name="website.features"] p').first().click();
    await page.getByRole('tab', { name: 'Options' }).click();
    const inner = page.locator('.ed-part').first();
    await inner.getByRole('button', { name: 'Background image' }).click();
    await page.getByRole('tab', { name: 'Address' }).click();
    await page.getByLabel('URL of an image').fill('/website/static/pictures/workshop.jpg');
    await page.keyboard.press('Enter');
    await inner.getByLabel('Vertical alignment').selectOption('Bottom');
    // Aligns content centred by its block to the left.
    await page.locator('[data-name="website.call_to_action"] h2').click();
    await inner.getByLabel('Text', { exact: true }).selectOption('Left');
    await page.getByRole('tab', { name: 'Blocks' }).click();
    // Saves the block under a name, and inserts it again.
    await page.locator('[data-name="website.quotes_slider"] blockquote').first().click();
    await page.getByRole('button', { name: 'Save this block' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Our voices');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Our voices');
    await page.locator('[data-tab="saved"]').click();
    await page.locator('main [data-name="website.quotes_slider"]').nth(1).waitFor();
    const worn = () => page.locator('link[data-look]').getAttribute('href');
    const old = await worn();
    await page.getByRole('complementary').getByRole('button', { name: 'Appearance' }).click();
    const look = page.getByRole('complementary', { name: 'Appearance' });
    await look.getByText('Fully rounded', { exact: true }).click();
    await look.getByRole('button', { name: 'Save' }).click();
    await look.waitFor({ state: 'detached' });
    // Page changes stay unsaved, in the new look.
    await until(async () => (await worn()) !== old);
    await page.waitForFunction(() => getComputedStyle(document.body).getPropertyValue('--bs-border-radius') === '1rem');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.ed-bar').waitFor({ state: 'detached' });
    const tile = await page.locator('main .row > :has(> .o-behind)').evaluate((column) => {
      const edges = (element: Element | null | undefined) => element?.getBoundingClientRect();
      const [all, picture] = [edges(column), edges(column.querySelector('.o-behind'))];
      const [first, last] = [edges(column.querySelector('.s_icon')), edges(column.querySelector('p'))];
      const round = (a = 0, b = 0): number => Math.round(Math.abs(a - b));
      return {
        picture: [round(picture?.height, all?.height), round(picture?.width, column.clientWidth)],
        above: round(first?.top, all?.top),
        below: round(all?.bottom, last?.bottom),
      };
    });
    expect(tile.picture).toEqual([0, 0]);
    expect(tile.above).toBeGreaterThan(tile.below);
    const action = page.locator('[data-name="website.call_to_action"]');
    expect(await left(action.locator('.btn'))).toBe(await left(action.locator('p').first()));
    expect(await action.locator('h2').evaluate((title) => getComputedStyle(title).textAlign)).toBe('start');
    const hiddenColumns = page.locator('main .o-not-tablet');
    for (const [width, isShown] of [
      [1280, true],
      [800, false],
      [360, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      expect(await hiddenColumns.isVisible()).toBe(isShown);
    }
    const { text } = await app.visitor().get('/made');
    expect(text).toMatch(/<section class="s_split o-ground-main o-bottom-wave"/);
    expect(text).toContain('s_split_text col-12 col-md-5');
    // The next column takes the remaining width.
    expect(text).toMatch(/"col-12 col-md-7 o-not-tablet"><h2>.*What we do.*"col-12 col-md-5"><h2>How we do it/);
    expect(text).toMatch(/<a href="\/contactus"><img class="s_split_picture o-filter-sepia"/);
    expect(text).toContain('<span class="o-ink-danger">');
    expect(text).toMatch(/<img [^>]*src="\/website\/static\/pictures\/workshop.jpg" alt="A workshop"/);
    expect(text.match(/<tr>/g)).toHaveLength(4);
  });

  it('with patches that look as on the block, and handles beside what stands in columns', async () => {
    const row =
      '<div class="container"><div class="row"><div class="col-lg-6"><section class="o-inside" data-name="website.title"><div class="container"><h3>Inside</h3></div></section></div></div></div>';
    await makePage(app, '/patches', `<h1>Patches</h1><section class="o-ground-gradient-light">${row}</section>`);
    const { page } = await signIn('editor');
    await page.goto('/patches?enable_editor=1');
    const section = page.locator('main section').first();
    await section.locator('h3').hover();
    const handle = await section.locator('.o-inside > [data-ed-handle]').boundingBox();
    const text = await section.locator('h3').boundingBox();
    expect((handle?.x ?? 0) + (handle?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0);
    await section.locator('> [data-ed-handle]').click();
    await page.getByRole('tab', { name: 'Options' }).click();
    await page
      .locator('details.ed-part')
      .last()
      .evaluate((part: HTMLDetailsElement) => {
        part.open = true;
      });
    for (const kind of ['light', 'strong']) {
      await page.getByTitle(`Custom gradient, ${kind}`).click();
      const green = page.getByRole('group', { name: 'Start colour' }).getByTitle('Green');
      await green.click();
      const patch = await green.locator('.ed-swatch').evaluate((swatch) => getComputedStyle(swatch).backgroundColor);
      expect(await section.evaluate((block) => getComputedStyle(block).backgroundImage)).toContain(`${patch},`);
    }
    // Column handles don't make the page wider than the window.
    await page.locator('.ed-close').click();
    for (const width of [780, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await section.locator('h3').dispatchEvent('mousedown', { button: 0 });
      await page.getByRole('button', { name: 'Select parent block' }).click();
      await page.waitForTimeout(300);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });

  it('told which texts are hard to read, under the window that says so as well', async () => {
    const picture = (text: string) =>
      `<img class="s_cover" src="/website/static/pictures/workshop.jpg" alt="A">${text}`;
    const html = [
      '<h1>Pale</h1><section><p>Plain</p><p style="color: #999999">Pale in the section</p></section>',
      '<section class="o-ground-inverse"><p>Plain on dark</p><p style="color: #333333">Dark on dark</p></section>',
      `<section class="s_big_picture">${picture('<div class="container"><p style="color: #999999">On a picture</p></div>')}</section>`,
    ];
    await makePage(app, '/pale', html.join('\n'));
    const { page } = await signIn('editor');
    await page.goto('/pale');
    await page.locator('.editor-bar-menu > summary').click();
    await page.getByRole('button', { name: 'Check page' }).click();
    const contrastIssues = page
      .getByRole('dialog', { name: 'Page check' })
      .locator('section:has-text("Contrast") small');
    await contrastIssues.first().waitFor();
    expect(await contrastIssues.allInnerTexts()).toEqual(['Pale in the section', 'Dark on dark']);
    await page.keyboard.press('Escape');
    await page.locator('.editor-bar-menu > summary:focus').waitFor();
  });

  it('on a phone with a bar of two rows, in each of which every tool has room for a finger', async () => {
    const { page } = await signIn('editor');
    await page.setViewportSize({ width: 360, height: 740 });
    const tools = page.locator('.ed-bar').locator('button, select');
    const boxes = () =>
      tools.evaluateAll((all) =>
        all
          .filter((button) => button.checkVisibility())
          .map((button) => button.getBoundingClientRect().toJSON() as DOMRect),
      );
    for (const [path, text] of [
      ['/made', 'main [data-name="website.split"] [data-ed-region]'],
      ['/fr', 'main [data-ed-term]'],
    ] as const) {
      await page.goto(`${path}?enable_editor=1`);
      await page.locator(text).first().click();
      await page.locator('.ed-tools button:enabled').last().waitFor();
      const buttonBoxes = await boxes();
      expect(new Set(buttonBoxes.map(({ y }) => y)).size).toBe(2);
      expect(buttonBoxes.filter(({ width, height }) => width < 44 || height < 44)).toEqual([]);
      // The second row fits the screen; the first one scrolls sideways.
      expect(buttonBoxes.filter(({ y, right }) => y === buttonBoxes[0]?.y && right > 360)).toEqual([]);
      await page.locator('.ed-tools button:enabled').last().focus();
      // The row can scroll smoothly.
      await until(async () => {
        const last = await page.locator('.ed-tools button:enabled').last().boundingBox();
        return (last?.x ?? Infinity) + (last?.width ?? 0) <= 360;
      });
    }
  });

  it('with a form of their own, whose answers make contacts', async () => {
    await makePage(app, '/ask', '<h1>Ask</h1><div data-block="website.form" data-options="{}"></div>');
    const { page, trouble } = await signIn('editor');
    await page.goto('/ask?enable_editor=1');
    await page.locator('.ed-bar').waitFor();
    await page.locator('main [data-block="website.form"]').click();
    await page.getByRole('tab', { name: 'Options' }).click();
    await page.getByRole('button', { name: 'New form' }).click();
    const dialog = page.getByRole('dialog', { name: 'New form' });
    await dialog.getByLabel('Name').fill('Write to us');
    for (const [words, type, role] of [
      ['Who are you?', 'Single-line text', 'Sender’s name'],
      ['Where do we answer?', 'Email address', 'Sender’s email'],
      ['Enter a subject.', 'Multi-line text', 'None'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Add a question' }).click();
      await dialog.getByLabel('Question', { exact: true }).fill(words);
      await dialog.getByLabel('Type', { exact: true }).selectOption(type);
      await dialog.getByLabel('Use as').selectOption(role);
    }
    await dialog.getByLabel('Also create').selectOption('A contact');
    await dialog.getByLabel('Thank-you message').fill('We answer soon.');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('main').getByText('Who are you?').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.ed-bar').waitFor({ state: 'detached' });

    const { page: visitor } = await browser.openPage({ baseUrl: app.url, width: 1280 });
    await visitor.goto('/ask');
    await visitor.getByLabel('Who are you?').fill('Ada Journey');
    await visitor.getByLabel('Where do we answer?').fill('ada@journey.example');
    await visitor.getByLabel('Enter a subject.').fill('The garden');
    // Waits longer than bots do before submitting.
    await visitor.waitForTimeout(3500);
    await visitor.locator('main form button').click();
    await visitor.getByText('We answer soon.').waitFor();

    await page.goto('/web/m/website.form.submission');
    await page.getByText('Ada Journey', { exact: true }).click();
    await page.locator('main').getByText('The garden').first().waitFor();
    await page.goto('/web/m/res.partner');
    await page.getByText('ada@journey.example').waitFor();
    expect([...trouble.consoleErrors, ...trouble.failedRequests]).toEqual([]);
  });

  it('in the first hour: a page without a mouse, in two languages, published when it is fit for that, in other colours', async () => {
    const { page, trouble } = await signIn('admin');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    const menu = async (name: string) => {
      await page.locator('.editor-bar-menu > summary').click();
      await page.locator('.editor-bar-menu').getByText(name, { exact: true }).click();
    };
    const save = () => Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+s')]);
    const insert = async (name: string, id: string) => {
      await page.keyboard.press('Alt+Shift+B');
      for (let n = 0; n < 3; n++) await page.keyboard.press('Tab');
      await page.getByRole('searchbox', { name: 'Search' }).fill(name);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator(`main [data-name="website.${id}"]`).waitFor();
    };
    const title = `Open day ${Date.now()}`;
    await page.goto('/');
    await page.locator('[data-editor-bar]').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Edit');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Blocks');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.locator('.ed-panel :focus').count()).toBe(1);
    await page.reload();
    await menu('New page');
    await page.getByLabel('Title').fill(title);
    await page.keyboard.press('Enter');
    await page.locator('.ed-bar').waitFor();
    const url = new URL(page.url()).pathname;

    await page.locator('[data-snippet]').first().waitFor();
    // Next to the panel the page is narrower than the window, and so is its menu.
    const toggle = page.locator('[data-slot=menu-toggle]');
    expect(await toggle.isVisible()).toBe(true);
    await page.keyboard.press('Alt+Shift+B');
    expect(await focused()).toBe('Blocks');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Options');
    expect(await page.getByRole('tab', { name: 'Options' }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await page.locator('.ed-panel').waitFor({ state: 'detached' });
    expect(await toggle.isVisible()).toBe(false);
    await insert('Three Columns', 'three_columns');
    await insert('Banner', 'banner');
    const blocks = () =>
      page
        .locator('main section[data-name]')
        .evaluateAll((all) => all.map((section) => section.getAttribute('data-name')));
    expect(await blocks()).toEqual(['website.three_columns', 'website.banner']);
    await page.keyboard.press('Alt+Shift+ArrowUp');
    expect(await blocks()).toEqual(['website.banner', 'website.three_columns']);
    await page.keyboard.press('Alt+Shift+Delete');
    expect(await blocks()).toEqual(['website.three_columns']);
    await page.keyboard.press('Control+z');
    expect(await blocks()).toEqual(['website.banner', 'website.three_columns']);
    // Blocks have headings in order, so a skipped level must be created.
    await page.locator('main [data-name="website.three_columns"] h2').first().click();
    await page.locator('.ed-style').first().selectOption({ label: 'Heading 3' });
    await save();

    await page.locator('.js_publish_btn').click();
    const gate = page.getByRole('dialog', { name: 'Before publishing' });
    await gate.getByText('This heading skips a level.').waitFor();
    await expectAccessible(page, { include: ['dialog'] });
    await gate.getByRole('button', { name: 'Show' }).first().click();
    await gate.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.localName === 'h3');

    await menu('Page settings');
    await page.getByLabel('Published', { exact: true }).check();
    await page.getByLabel('Publish on').fill('2050-01-01T09:00');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await gate.getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByText(/Visitors can see this page from\s.*2050/).waitFor();
    expect((await app.visitor().get(url)).status).toBe(404);

    // With large text in a low window, or forced colours, everything is reachable and the dot of published pages is visible.
    await page.setViewportSize({ width: 640, height: 400 });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('.editor-bar-menu > summary').click();
    expect((await page.locator('.editor-bar-menu .dropdown-menu').boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Escape');
    const dot = page.locator('.js_publish_btn');
    expect(await dot.evaluate((button) => getComputedStyle(button, '::before').borderTopWidth)).toBe('2px');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize({ width: 1280, height: 800 });

    const colour = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--bs-primary'));
    const initialColour = await colour();
    await menu('Appearance');
    const last = page.locator('.look-panel [type=radio]').last();
    await last.focus();
    expect((await last.boundingBox())?.y).toBeLessThan(800);
    await page.locator('.look-panel').getByText('Plum').click();
    await page.waitForFunction(
      (old) => getComputedStyle(document.body).getPropertyValue('--bs-primary') !== old,
      initialColour,
    );
    await page.locator('.look-panel').getByRole('button', { name: 'Save' }).click();
    await page.locator('.look-panel').waitFor({ state: 'detached' });
    expect(await colour()).not.toBe(initialColour);

    // The blocks have French texts; only the page title is missing.
    const id = Number(await page.locator('[data-editor-bar]').getAttribute('data-page-id'));
    const untranslated = async () => (await app.as('admin')).rpc('/website/editor/check', { id });
    expect(await untranslated()).toMatchObject([{ lang: 'fr_FR', part: { block: 'website.seo' }, missing: 1 }]);
    await menu('Check page');
    await page.getByRole('link', { name: 'Translate' }).click();
    await page.getByRole('dialog', { name: 'Titre et référencement' }).getByLabel('Titre').waitFor();
    await expectAccessible(page, { include: ['dialog'] });
    await page.keyboard.type('Portes ouvertes');
    await page.keyboard.press('Enter');
    await page.getByText(/^(\d+) sur \1 traduits$/).waitFor();
    await page.locator('main [data-ed-term]').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Venez donc');
    await save();
    expect(await page.locator('main').innerText()).toContain('Venez donc');
    expect(await page.title()).toContain('Portes ouvertes');
    expect(await page.locator('.site-nav').innerText()).toContain('Portes ouvertes');
    expect(await untranslated()).toEqual([]);
    expect([...trouble.consoleErrors, ...trouble.failedRequests]).toEqual([]);
  });
});
