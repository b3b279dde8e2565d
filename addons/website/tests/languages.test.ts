import { readdirSync } from 'node:fs';
import { fillSlots, type Markup, markupIn, matchTexts, models, readMarkup, splitMarkup } from 'pergola/orm';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { snippets } from '../snippets/point.ts';
import { snippetHtml } from '../snippets/tests/kit.ts';

const addons = readdirSync(new URL('../../', import.meta.url));

/** Converts a text to one that is in no language, of the same kind. */
const shouted = (html: string): string => html.replace(/\p{Ll}(?![^<]*>)(?!\w*;)/gu, (letter) => letter.toUpperCase());

someDatabase('Markup in two languages', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons, database, demo: true });
  });
  afterAll(() => app?.close());

  const expectWhole = (name: string, html: string): void => {
    const slots = splitMarkup(html);
    expect([
      name,
      fillSlots(
        html,
        slots,
        slots.map(({ text }) => text),
      ),
    ]).toEqual([name, html]);
    const translatedHtml = fillSlots(
      html,
      slots,
      slots.map((slot) => (slot.optional ? null : shouted(slot.text))),
    );
    const { texts, left: unmatched } = matchTexts(html, translatedHtml);
    expect([name, unmatched]).toEqual([name, []]);
    expect([name, fillSlots(html, slots, texts)]).toEqual([name, translatedHtml]);
  };

  it('comes apart into texts and together again, whatever the block', async () => {
    const [english, french] = [await app.as('admin'), await app.as('admin')];
    french.keepCookies(['website_lang=fr_FR; Path=/']);
    const all = await app.read(async (ctx) => ctx.get(snippets));
    for (const { id } of all) {
      const [html, translatedHtml] = [await snippetHtml(english, id), await snippetHtml(french, id)];
      expectWhole(id, html);
      expect([id, matchTexts(html, translatedHtml).left]).toEqual([id, []]);
    }
    expect(all.length).toBeGreaterThanOrEqual(80);
  });

  it('does so whatever the page, product, event or team', async () => {
    const markups: [string, Markup][] = await app.read(async (ctx) => {
      const all: [string, Markup][] = [];
      for (const { name, fields } of ctx.get(models).models.values()) {
        const model = ctx.sudo().modelNamed(name);
        for (const field of [...fields.values()].filter(
          (candidate) => candidate.type === 'html' && candidate.translated && candidate.column,
        ))
          for (const id of await model.search([])) {
            const markup = await readMarkup(model, id, field.name);
            if (markup) all.push([`${name} ${id} ${field.name}`, markup]);
          }
      }
      return all;
    });
    for (const [name, markup] of markups) {
      expectWhole(name, markup.html);
      for (const lang of markup.languages.keys())
        expect([name, matchTexts(markup.html, markupIn(markup, lang)).left]).toEqual([name, []]);
    }
    expect(markups.length).toBeGreaterThan(50);
  });
});
