import fc from 'fast-check';
import icalendar from 'ical-generator';
import type { Reply } from 'pergola';
import { createTestApp, type TestApp } from 'pergola/testing';
import { SaxesParser } from 'saxes';
import { calendarReply } from '../services/calendar-file.ts';
import { type FeedItem, rss } from '../services/rss.ts';

/** User input that could end a quotation, an element or a line. */
const evil = fc.constantFrom(
  ']]>',
  '<![CDATA[',
  '<script>',
  '&',
  '&amp;',
  '"',
  "'",
  '\u0000',
  '\u0008',
  '\uffff',
  '\ud800',
  '\r',
  '\n',
  '😀',
  '-->',
);
const text = fc
  .array(fc.oneof(evil, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 8 })
  .map((parts) => `a${parts.join('')}`);

/** Texts by element in order, from a real XML parser. Throws if the XML isn't well-formed. */
function parse(xml: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const open: { name: string; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => open.push({ name, text: '' }));
  parser.on('text', (part) => {
    const current = open.at(-1);
    if (current) current.text += part;
  });
  parser.on('closetag', () => {
    const current = open.pop();
    if (current) texts.set(current.name, [...(texts.get(current.name) ?? []), current.text]);
  });
  parser.write(xml).close();
  return texts;
}

function bodyOf(reply: Reply): string {
  if (!('body' in reply) || typeof reply.body !== 'string') throw new TypeError('This reply has no text.');
  return reply.body;
}

/** Text as XML can represent it, with normalised line endings. */
function held(text: string): string {
  const possible = text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
  return possible.replace(/\r\n?/g, '\n');
}

describe('What the site says in other formats', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'] });
  });
  afterAll(() => app.close());

  const feedOf = (title: string, items: readonly FeedItem[]): Promise<Map<string, string[]>> =>
    app.read(async (ctx) =>
      parse(bodyOf(rss(ctx, { title, description: title, path: '/news', feed: '/news/rss', items }))),
    );

  test('a feed is XML whatever is in it, and holds the same texts', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (title, feedTitle) => {
        const item = {
          title,
          path: '/news/1',
          date: new Date(0),
          description: feedTitle,
          content: feedTitle,
          author: title,
        };
        const parsed = await feedOf(feedTitle, [item, item]);
        expect(parsed.get('title')).toEqual([feedTitle, title, title].map(held));
        expect(parsed.get('content:encoded')).toEqual([feedTitle, feedTitle].map(held));
        expect(parsed.get('description')).toEqual([feedTitle, feedTitle, feedTitle].map(held));
        expect(parsed.get('dc:creator')).toEqual([title, title].map(held));
        expect(parsed.get('guid')).toEqual([`${app.url}/news/1`, `${app.url}/news/1`]);
        expect(parsed.has('script')).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test('a feed has whole addresses only, and says where it is', async () => {
    const content =
      '<p><a href="/shop?a=1&amp;b=2">Shop</a> <a href="#answer-2">Answer</a> <a href="https://example.org/x">X</a> <a href="mailto:a@b.example">M</a>' +
      '<img src="/pictures/1.png" srcset="/pictures/1.png 1x, /pictures/2.png 2x"></p>';
    const item = { title: 'One', path: '/news/1', date: new Date(0), content };
    const parsed = await feedOf('News', [item]);
    const { url } = app;
    expect(parsed.get('content:encoded')).toEqual([
      `<p><a href="${url}/shop?a=1&amp;b=2">Shop</a> <a href="${url}/news/1#answer-2">Answer</a> <a href="https://example.org/x">X</a> ` +
        `<a href="mailto:a@b.example">M</a><img src="${url}/pictures/1.png" srcset="${url}/pictures/1.png 1x, ${url}/pictures/2.png 2x"></p>`,
    ]);
    const xml = await app.read(async (ctx) =>
      bodyOf(rss(ctx, { title: 'News', path: '/news', feed: '/news/rss', items: [item] })),
    );
    expect(xml).toContain(`<atom:link href="${url}/news/rss" rel="self" type="application/rss+xml"/>`);
  });

  test('a calendar has the lines it should have whatever is in it', () => {
    fc.assert(
      fc.property(text, (words) => {
        const calendar = icalendar({ name: words });
        const values = { summary: words, description: words, location: words };
        calendar.createEvent({
          id: 'x',
          start: new Date(0),
          organizer: { name: words, email: 'a@b.example' },
          ...values,
        });
        const lines = bodyOf(calendarReply(calendar, 'x')).replaceAll('\r\n ', '').split('\r\n');
        const names = lines.map((line) => line.split(/[:;]/)[0]);
        const properties = ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'ORGANIZER'];
        const head = [
          'BEGIN',
          'VERSION',
          'PRODID',
          'NAME',
          'X-WR-CALNAME',
          'BEGIN',
          'UID',
          'SEQUENCE',
          'DTSTAMP',
          'DTSTART',
        ];
        // The last line has a line ending, too.
        expect(names).toEqual([...head, ...properties, 'END', 'END', '']);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: checks for control characters
        expect(lines.join('')).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f]/);
      }),
    );
  });
});
