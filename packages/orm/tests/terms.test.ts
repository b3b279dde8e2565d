import { type Cleaning, markupOf, mergeMarkup } from '../terms/kept.ts';
import { matchTexts } from '../terms/match.ts';
import { fillSlots, splitMarkup } from '../terms/split.ts';

const texts = (html: string): string[] => splitMarkup(html).map(({ text }) => text);

describe('The texts of markup', () => {
  test.each([
    [
      '<h1>Hello</h1>\n<p>Two <b>words</b> and <a href="/x">a link</a>.</p>',
      ['Hello', 'Two <b>words</b> and <a href="/x">a link</a>.'],
    ],
    ['<p><a class="btn" href="/a">One</a> <a class="btn" href="/b">Two</a></p>', ['/a', 'One', '/b', 'Two']],
    ['<p><i class="bi bi-star"></i> Starred<br></p>', ['Starred']],
    [
      '<img src="/p.jpg" alt="A &quot;house&quot;"><figcaption>Seen &amp; heard</figcaption>',
      ['A "house"', 'Seen &amp; heard'],
    ],
    [
      '<div data-block="website.map" data-options="{&quot;place&quot;:&quot;The \\&quot;inn\\&quot;&quot;,&quot;zoom&quot;:3}"></div>',
      ['The "inn"'],
    ],
    [
      '<div data-block="x.y" data-options="{&quot;title&quot;:&quot;News&quot;,&quot;below&quot;:&quot;/a&quot;}"></div>',
      ['News'],
    ],
    ['<p translate="no">Pergola</p><p>→</p>', []],
    ['<ul><li>One<ul><li>Within</li></ul></li></ul>', ['One', 'Within']],
  ])('%s', (html, expected) => {
    const slots = splitMarkup(html);
    expect(texts(html)).toEqual(expected);
    expect(
      fillSlots(
        html,
        slots,
        slots.map(({ text }) => text),
      ),
    ).toBe(html);
  });
});

test.each([
  ['12.50 €', true],
  ['info@bakery.example', true],
  ['<a href="mailto:a@b.fr">a@b.fr</a><br>+33 1 23', true],
  ['www.bakery.example/hours, https://x.example/a?b=c', true],
  ['(bakery.example)', true],
  ['Menu', false],
  ['Write to info@bakery.example', false],
  ['etc.', false],
  ['a@b.fr<br>Hello', false],
])('%s says the same in all languages: %s', (text, isSame) => {
  expect(splitMarkup(`<p>${text}</p>`)).toMatchObject([{ kind: 'text', optional: isSame }]);
});

const block = (title: string, text: string, kind = 's_text'): string =>
  `<section class="${kind}"><h2>${title}</h2><p>${text}</p></section>`;

describe('A translation that was built differently', () => {
  test('gives its texts to the blocks that stand for its own, and tells what has no place', () => {
    const source = [block('Hello', 'World'), block('New', 'Block', 's_new'), block('Bye', 'All')].join('\n');
    const own = [block('Bonjour', 'Monde'), block('Salut', 'Tous'), block('Encore', 'Un', 's_own')].join('\n');
    const { texts: found, left } = matchTexts(source, own);
    expect(found).toEqual(['Bonjour', 'Monde', null, null, 'Salut', 'Tous']);
    expect(left).toEqual([{ html: block('Encore', 'Un', 's_own'), at: source.length }]);
  });

  test('has a paragraph more', () => {
    const { texts: found, left } = matchTexts('<div><p>One</p></div>', '<div><p>Un</p><p>Deux</p></div>');
    expect(found).toEqual(['Un']);
    expect(left).toEqual([{ html: '<p>Deux</p>', at: '<div><p>One</p>'.length }]);
  });

  test('has a block elsewhere, and more in those it went past', () => {
    const source = [block('Hello', 'World', 's_a'), block('New', 'Block', 's_b'), block('Bye', 'All', 's_c')].join('');
    const [hello, added] = [block('Bonjour', 'Monde', 's_a'), '<p>Encore</p>'];
    const own = [block('Salut', 'Tous', 's_c'), hello.replace('</section>', `${added}</section>`)].join('');
    const { texts: found, left } = matchTexts(source, own);
    expect(found).toEqual(['Bonjour', 'Monde', null, null, 'Salut', 'Tous']);
    expect(left.map(({ html }) => html)).toEqual([added]);
  });

  test('marks a whole line, or part of it', () => {
    expect(matchTexts('<p>One</p>', '<p><b>Un</b></p>')).toEqual({ texts: ['<b>Un</b>'], left: [] });
  });
});

const cleaning: Cleaning = { profile: 'page', finish: (html) => html, strict: true };
const merge = (
  kept: unknown,
  changes: Record<string, string | null | { at: number; source: string; text: string | null }[]>,
) => mergeMarkup(kept, new Map(Object.entries(changes)), 'en_US', cleaning);
const french = (kept: unknown) => markupOf(kept, 'en_US')?.languages.get('fr_FR')?.terms;

describe('Markup in several languages', () => {
  const kept = merge(null, {
    en_US: '<h1>Hello</h1><p>We are here.</p><p>Call us.</p>',
    fr_FR: '<h1>Bonjour</h1><p>Nous sommes là.</p><p>Call us.</p>',
  });

  test('is kept as it is shown, where that says it all', () => {
    expect(kept).toEqual({
      en_US: '<h1>Hello</h1><p>We are here.</p><p>Call us.</p>',
      fr_FR: '<h1>Bonjour</h1><p>Nous sommes là.</p><p>Call us.</p>',
    });
    expect(french(kept)).toEqual(['Bonjour', 'Nous sommes là.', null]);
  });

  test('has one structure: what is added, moved or taken away is so in all of them', () => {
    const moved = merge(kept, { en_US: '<p>New.</p><div><p>We are here.</p></div><h2 class="x">Hello</h2>' });
    expect(moved?.fr_FR).toBe('<p>New.</p><div><p>Nous sommes là.</p></div><h2 class="x">Bonjour</h2>');
  });

  test('keeps the translation of a text that changed, and says that it is of another one', () => {
    const changed = merge(kept, { en_US: '<h1>Hello</h1><p>We are here and there.</p><p>Call us.</p>' });
    expect(changed?.fr_FR).toContain('<p>Nous sommes là.</p>');
    expect(french(changed)).toEqual(['Bonjour', ['Nous sommes là.', 'We are here.'], null]);
    const back = merge(changed, { en_US: '<h1>Hello</h1><p>We are here.</p><p>Call us.</p>' });
    expect(back).toEqual(kept);
  });

  test('remembers the translation of what was taken away', () => {
    const shorter = merge(kept, { en_US: '<h1>Hello</h1><p>Call us.</p>' });
    expect(shorter?.fr_FR).toBe('<h1>Bonjour</h1><p>Call us.</p>');
    expect(merge(shorter, { en_US: '<h1>Hello</h1><p>Call us.</p><p>We are here.</p>' })?.fr_FR).toContain(
      'Nous sommes là.',
    );
  });

  test('has nothing to say where words became a number', () => {
    const price = merge(kept, { en_US: '<h1>Hello</h1><p>12.50 €</p><p>Call us.</p>' });
    expect(french(price)).toEqual(['Bonjour', null, null]);
    // Unless that was written otherwise in this language before, too.
    const own = merge(price, { fr_FR: [{ at: 1, source: '12.50 €', text: '12,50 €' }] });
    expect(french(merge(own, { en_US: '<h1>Hello</h1><p>13.50 €</p><p>Call us.</p>' }))?.[1]).toEqual([
      '12,50 €',
      '12.50 €',
    ]);
  });

  test('is told by a copy within the page as by its original', () => {
    const twice = merge(kept, { en_US: '<h1>Hello</h1><p>We are here.</p><h1>Hello</h1><p>Call us.</p>' });
    expect(twice?.fr_FR).toBe('<h1>Bonjour</h1><p>Nous sommes là.</p><h1>Bonjour</h1><p>Call us.</p>');
  });

  test('takes links and looks of its source over', () => {
    const linked = merge(null, {
      en_US: '<p>See <a href="/old">this</a>.</p>',
      fr_FR: '<p>Voir <a href="/old">ceci</a>.</p>',
    });
    expect(merge(linked, { en_US: '<p>See <a href="/new">this</a>.</p>' })?.fr_FR).toBe(
      '<p>Voir <a href="/new">ceci</a>.</p>',
    );
  });

  test('takes single texts, and refuses more than that', () => {
    const at = { at: 2, source: 'Call us.' };
    expect(merge(kept, { fr_FR: [{ ...at, text: 'Appelez-<b>nous</b>.<script>x</script>' }] })?.fr_FR).toContain(
      '<p>Appelez-<b>nous</b>.</p>',
    );
    expect(() => merge(kept, { fr_FR: [{ ...at, text: '</p><section>' }] })).toThrow('not add paragraphs');
    expect(() =>
      merge(kept, { fr_FR: '<h1>Bonjour</h1><p>Nous sommes là.</p><p>Call us.</p><p>Et plus.</p>' }),
    ).toThrow('that the one in');
    expect(french(merge(kept, { fr_FR: [{ ...at, text: 'Call us.' }] }))).toEqual([
      'Bonjour',
      'Nous sommes là.',
      'Call us.',
    ]);
  });

  test('keeps what was translated while its source was changed, as one of a former text', () => {
    const edit = { at: 1, source: 'We are here.' };
    const changed = merge(kept, { en_US: '<h1>Hello</h1><h2>New</h2><p>We are here until ten.</p><p>Call us.</p>' });
    expect(french(merge(changed, { fr_FR: [{ ...edit, text: 'Nous y sommes.' }] }))).toEqual([
      'Bonjour',
      null,
      ['Nous y sommes.', 'We are here.'],
      null,
    ]);
    const untold = merge(null, { en_US: '<p>Other.</p><p>We are here until ten.</p>', fr_FR: [] });
    const told = merge(untold, { fr_FR: [{ at: 0, source: 'We are here.', text: 'Nous sommes là.' }] });
    expect(french(told)).toEqual([null, ['Nous sommes là.', 'We are here.']]);
    const others = merge(untold, { fr_FR: [{ at: 1, source: 'We are here until ten.', text: 'Là jusqu’à dix.' }] });
    expect(french(merge(others, { fr_FR: [{ ...edit, text: 'Nous sommes là.' }] }))).toEqual([null, 'Là jusqu’à dix.']);
  });

  test('may begin in another language than the site’s first one, which it stands in for', () => {
    const begun = merge(null, { fr_FR: '<p>Bonjour</p>' });
    expect(begun).toMatchObject({ en_US: '<p>Bonjour</p>', fr_FR: '<p>Bonjour</p>' });
    const more = merge(begun, { fr_FR: '<p>Bonjour</p><p>Encore</p>' });
    expect(more).toMatchObject({ en_US: '<p>Bonjour</p><p>Encore</p>', fr_FR: '<p>Bonjour</p><p>Encore</p>' });
    expect(merge(more, { en_US: [{ at: 0, source: 'Bonjour', text: 'Hello' }] })).toMatchObject({
      en_US: '<p>Hello</p><p>Encore</p>',
      fr_FR: '<p>Bonjour</p><p>Encore</p>',
    });
  });

  test('is emptied with its first language', () => {
    expect(merge(kept, { en_US: null })).toBeNull();
    expect(merge(kept, { fr_FR: null })).toEqual({ en_US: kept?.en_US });
  });
});
