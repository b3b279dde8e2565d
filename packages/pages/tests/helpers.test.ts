import { renderSource } from './support.ts';

const plain = (html: string): string => html.replace(/[\u00a0\u202f]/g, ' ');

describe('money, number, date and datetime', () => {
  test('money takes minor units and any way to name a currency', () => {
    const values = {
      amount: 123456,
      id: 1,
      row: { id: 1 },
      format: { code: 'X', digits: 0, symbol: '¤', position: 'after' },
    };
    expect(
      plain(
        renderSource('{{money amount id}}|{{money amount "EUR"}}|{{money amount row}}|{{money amount format}}', values),
      ),
    ).toBe('1,234.56 €|1,234.56 €|1,234.56 €|123,456 ¤');
    expect(renderSource('{{money none id}}', values)).toBe('');
  });

  test('money speaks the language of the request', () => {
    const french = { lang: 'fr_FR' };
    expect(
      plain(
        renderSource('{{money a 1}} {{number n digits=1}}', { a: 100000, n: 1234.56 }, french, {
          languages: ['fr_FR'],
        }),
      ),
    ).toBe('1 000,00 € 1 234,6');
  });

  test('money names template, line and helper when its currency is not known', () => {
    expect(() => renderSource('\n{{money amount id}}', { amount: 1, id: 9 })).toThrow(
      't.page:2 {{money}}: there is no currency 9.',
    );
  });

  test('number keeps exact decimals exact', () => {
    expect(
      renderSource('{{number a max=6}} {{number b percent=true}} {{number none}}', { a: '0.100001', b: 0.5 }),
    ).toBe('0.100001 50% ');
    expect(() => renderSource('{{number a}}', { a: 'x' })).toThrow('"x" is not a number');
  });

  test('date writes a day, or the day of a moment where the reader is', () => {
    const values = { day: '2026-11-21', moment: new Date('2026-11-21T23:30:00Z') };
    expect(renderSource('{{date day format="long"}}', values)).toBe(
      '<time datetime="2026-11-21">November 21, 2026</time>',
    );
    expect(renderSource('{{date moment class="x"}}', values)).toBe(
      '<time class="x" datetime="2026-11-21T23:30:00.000Z">Nov 22, 2026</time>',
    );
    expect(renderSource('<a title="{{date day plain=true}}">x</a>{{date none}}', values)).toBe(
      '<a title="Nov 21, 2026">x</a>',
    );
    expect(() => renderSource('{{date day format="longer"}}', values)).toThrow(
      'format="longer" is none of short, medium',
    );
    expect(() => renderSource('{{date day}}', { day: 'soon' })).toThrow(
      't.page:1 {{date}}: "soon" is not a day like 2026-11-21.',
    );
  });

  test('datetime follows the zone of the reader, or the one it is given', () => {
    const values = { moment: new Date('2026-11-21T11:00:00Z') };
    expect(plain(renderSource('{{datetime moment format="time" plain=true}}', values))).toBe('12:00 PM');
    expect(plain(renderSource('{{datetime moment format="time" timezone="UTC" plain=true}}', values))).toBe(
      '11:00 AM (UTC)',
    );
    expect(renderSource('{{datetime moment format="relative"}}', values)).toBe(
      '<time datetime="2026-11-21T11:00:00.000Z">1 hour ago</time>',
    );
  });
});

describe('times at a place', () => {
  const values = { moment: new Date('2027-05-10T23:00:00Z') };
  const source = '{{datetime moment format="time" timezone=zone}}';

  test('name a zone that is not the site’s', () => {
    expect(plain(renderSource(source, { ...values, zone: 'America/New_York' }))).toContain('>7:00 PM (New York time)<');
  });

  test.each(['Europe/Paris', '@site'])('leave the zone of the site, %s, to the browser', (zone) => {
    const html = renderSource(source, { ...values, zone });
    expect(html).toContain(' data-zone="Europe/Paris" data-zone-name="Paris time">');
    expect(plain(html)).toContain('>1:00 AM<');
  });

  test('always name it in mails', () => {
    const html = renderSource(source, { ...values, zone: 'Europe/Paris' }, { siteTimezone: null });
    expect(plain(html)).toContain('>1:00 AM (Paris time)<');
  });
});

describe('texts', () => {
  test('t fills what it is given, escaped, and leaves markup of other helpers whole', () => {
    expect(renderSource('{{t "Hi {name}" name=name}}', { name: '<b>' })).toBe('Hi &lt;b&gt;');
    expect(renderSource('{{t "Hi {name} <3, {when}" name=name when=(date d)}}', { name: '<b>', d: '2026-11-21' })).toBe(
      'Hi &lt;b&gt; &lt;3, <time datetime="2026-11-21">Nov 21, 2026</time>',
    );
  });

  test('greeting addresses people by their first name, and anybody without one', () => {
    const greet = (name: unknown) => renderSource('{{greeting name}}', { name });
    expect(greet('Müller, Jörg')).toBe('Hello Jörg,');
    expect(greet('Müller & <Söhne>')).toBe('Hello Müller &amp; &lt;Söhne&gt;,');
    expect(renderSource('{{greeting name whole=true}}', { name: 'Delft Keramiek' })).toBe('Hello Delft Keramiek,');
    expect([greet(''), greet(null), greet('ada@example.com')]).toEqual(['Hello,', 'Hello,', 'Hello,']);
  });

  test('t looks a value up in the request’s language', () => {
    expect(
      renderSource('{{t label}}', { label: 'Save' }, { t: (text) => (text === 'Save' ? 'Enregistrer' : text) }),
    ).toBe('Enregistrer');
  });

  test('plural chooses by the number and fills it in', () => {
    const source = '{{#each n}}{{plural this "{n} answer by {who}" "{n} answers by {who}" who=../who}} {{/each}}';
    expect(renderSource(source, { n: [0, 1, 1234], who: 'Zoé' })).toBe(
      '0 answers by Zoé 1 answer by Zoé 1,234 answers by Zoé ',
    );
  });

  test('join and concat put values behind each other', () => {
    expect(
      renderSource('{{join a}}|{{join b " / " key="name"}}|{{join none}}|{{concat "x-" n none}}', {
        a: [1, '<'],
        b: [{ name: 'p' }, {}],
        n: 3,
      }),
    ).toBe('1, &lt;|p / ||x-3');
  });
});

describe('conditions', () => {
  test.each([
    ['{{#eq a "1"}}yes{{else}}no{{/eq}}', 'yes'],
    ['{{#eq a 2}}yes{{else}}no{{/eq}}', 'no'],
    ['{{#if (eq none null)}}yes{{else}}no{{/if}}', 'no'],
    ['{{#if (not list)}}yes{{/if}}', 'yes'],
    ['{{#and a b}}yes{{else}}no{{/and}}', 'no'],
    ['{{or b c "last"}}', 'c'],
    ['{{#if (and a (not b))}}yes{{/if}}', 'yes'],
    ['{{#not a}}yes{{else}}no{{/not}}', 'no'],
    ['{{#or b list}}yes{{else}}no{{/or}}', 'no'],
  ])('%s is %s', (source, html) => {
    expect(renderSource(source, { a: 1, b: 0, c: 'c', list: [] })).toBe(html);
  });

  test('a block keeps the values around it', () => {
    expect(renderSource('{{#eq a 1}}{{b}}{{/eq}}', { a: 1, b: 'x' })).toBe('x');
  });

  test('group shows its content to members of any of the groups', () => {
    const source = '{{#group "a.x, a.y"}}in{{else}}out{{/group}}';
    expect(renderSource(source)).toBe('out');
    expect(renderSource(source, {}, { groups: new Set(['a.y']) })).toBe('in');
  });
});

describe('addresses', () => {
  const evil = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' \t\njavascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u200bjavascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'about:blank',
    { toString: () => 'javascript:alert(1)' },
    ['javascript:alert(1)'],
  ];

  test.each(evil)('%j leads nowhere', (value) => {
    expect(
      renderSource('<a href="{{href x}}">y</a><img src="{{src x}}" alt=""><a href="{{url x}}">z</a>', { x: value }),
    ).toBe('<a href="#">y</a><img src="#" alt=""><a href="#">z</a>');
  });

  test.each([
    '/shop',
    'https://example.org/?a=1',
    'mailto:a@b.org',
    'tel:+33',
    '#top',
    '?page=2',
    'a/b',
    '//cdn.example.org/x',
    '',
  ])('%s stays', (value) => {
    expect(renderSource('<a href="{{href x}}">y</a>', { x: value })).toBe(`<a href="${value}">y</a>`);
  });

  test('what browsers take for another host is no path of this site', () => {
    const french = { url: (path: string) => `/fr${path}` };
    for (const x of ['//evil.example', '/\n/evil.example', '/\\evil.example', ' /\t/evil.example']) {
      expect(renderSource('<a href="{{href x}}">y</a>', { x }, french)).not.toContain('/fr');
    }
  });

  test('quotes in an address cannot end the attribute', () => {
    expect(renderSource('<a href="{{href x}}">y</a>', { x: '/a"onclick="x&b=\'' })).toBe(
      '<a href="/a&quot;onclick=&quot;x&amp;b=&#39;">y</a>',
    );
  });

  test('url adds a query, repeats lists and leaves out what is empty', () => {
    expect(
      renderSource('<a href="{{url "/shop" q="a b&c" tag=tags none=nothing n=0}}">x</a>', { tags: ['x', 'y'] }),
    ).toBe('<a href="/shop?q=a+b%26c&amp;tag=x&amp;tag=y&amp;n=0">x</a>');
    expect(renderSource('<a href="{{url "/shop?a=1#top" b=2}}">x</a>')).toBe('<a href="/shop?a=1&amp;b=2#top">x</a>');
  });
});

describe('the reader’s language in paths', () => {
  const french = { url: (path: string) => (path.startsWith('/web') ? path : `/fr${path === '/' ? '' : path}`) };
  const href = (value: string, values: object = {}): string | undefined =>
    /^<a href="(.*)">x<\/a>$/.exec(renderSource(`<a href="${value}">x</a>`, values, french))?.[1];

  test.each([
    ['/shop', '/fr/shop'],
    ['/', '/fr'],
    ['/shop/{{slug}}', '/fr/shop/a-1'],
    ['/shop/x{{slug}}', '/fr/shop/xa-1'],
    ['/shop?page={{n}}', '/fr/shop?page=2'],
    ['/shop?a=1&amp;b=2', '/fr/shop?a=1&amp;b=2'],
    ['/{{slug}}', '/fr/a-1'],
    ['/{{slug}}/b', '/fr/a-1/b'],
    ['/web/image/{{n}}', '/web/image/2'],
    ['{{#if n}}/a{{else}}/b{{/if}}', '/fr/a'],
    ['{{href link}}', '/fr/x'],
    ['{{url "/shop" page=n}}', '/fr/shop?page=2'],
    ['#top', '#top'],
    ['//example.org/x', '//example.org/x'],
    ['https://example.org/', 'https://example.org/'],
    ['relative/{{slug}}', 'relative/a-1'],
    ['mailto:a@b.org', 'mailto:a@b.org'],
  ])('%s becomes %s', (value, expected) => {
    expect(href(value, { slug: 'a-1', n: 2, link: '/x' })).toBe(expected);
  });

  test('is for links and forms, not for what a page loads', () => {
    const source =
      '<link rel="x" href="/a"><img src="/b" alt=""><form action="/c"><button formaction="/d">x</button></form><map><area href="/e"></map>';
    expect(renderSource(source, {}, french)).toBe(
      '<link rel="x" href="/a"><img src="/b" alt=""><form action="/fr/c"><button formaction="/fr/d">x</button></form><map><area href="/fr/e"></map>',
    );
  });

  test('cannot be left by a value that makes another host of the path', () => {
    expect(href('/{{host}}', { host: '/evil.example' })).toBe('/fr/evil.example');
    expect(href('/{{host}}', { host: '\\evil.example' })).toBe('/fr/evil.example');
  });
});

describe('parts', () => {
  test('island hands its id, props and trigger to the request', () => {
    expect(renderSource('{{island "t.I" props on="visible"}}', { props: { a: 1 } })).toBe(
      '<island t.I {"a":1} visible >',
    );
    expect(renderSource('{{island "t.I" media="(min-width: 3em)"}}')).toBe('<island t.I {} media (min-width: 3em)>');
    expect(() => renderSource('{{island "t.I" on="media"}}')).toThrow('on="media" and media="…" belong together');
    expect(() => renderSource('{{island "t.I" on="hover"}}')).toThrow('is none of load, idle, visible, touch, media');
  });

  test('fragment, block and csrf print what the request answers', () => {
    expect(renderSource('{{fragment "t.menu"}}{{block "t.b" o n=2}}{{csrf}}', { o: { a: 1 } })).toBe(
      '<fragment t.menu><block t.b {"a":1,"n":2}><input type="hidden" name="csrf_token">',
    );
  });
});

describe('what a page asks of its request', () => {
  test('language, attributes, icons and what its head loads', () => {
    const source =
      '<html lang="{{lang}}" data-id="{{attribute "website.id"}}"><head>{{assets}}{{assets area="web"}}</head><body>{{icon "cart"}}</body></html>';
    const french = { lang: 'fr_FR', attribute: (path: string) => (path === 'website.id' ? 1 : undefined) };
    expect(renderSource(source, {}, french, { languages: ['fr_FR'] })).toBe(
      '<html lang="fr-FR" data-id="1"><head><link rel="stylesheet" href="/public.css"><link rel="stylesheet" href="/web.css"></head><body><svg class="icon-cart"></svg></body></html>',
    );
  });

  test('objects for islands', () => {
    expect(renderSource('{{island "t.I" (object name="x" n=2)}}')).toBe('<island t.I {"n":2,"name":"x"} idle >');
  });
});

describe('html and json', () => {
  test('html is sanitised, and its blocks are filled', () => {
    expect(renderSource('{{html x}}', { x: '<p onclick="a">b<script>c</script></p>' })).toBe('<p>b</p>');
    expect(renderSource('{{html x}}{{html none}}', { x: '<div data-block="a.b"></div>' })).toBe(
      '<div data-block="a.b">filled</div>',
    );
    expect(renderSource('{{html x profile="comment"}}', { x: '<div data-block="a.b" class="c">d</div>' })).toBe(
      '<div>d</div>',
    );
  });

  test('json cannot end its script, nor be read as markup', () => {
    const value = { a: '</script><script>alert(1)</script><!-- &\u2028' };
    const html = renderSource('<script type="application/json">{{json x}}</script>', { x: value });
    expect(html).not.toMatch(/<\/script>.|<!--/);
    expect(JSON.parse(html.slice(html.indexOf('{'), html.lastIndexOf('}') + 1))).toEqual(value);
    expect(renderSource('{{json none}}')).toBe('null');
  });

  test('json in an attribute is escaped', () => {
    expect(renderSource('<a data-x="{{json x plain=true}}">y</a>', { x: { a: '"' } })).toBe(
      '<a data-x="{&quot;a&quot;:&quot;\\&quot;&quot;}">y</a>',
    );
  });
});
