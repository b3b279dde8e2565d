import { jest } from '@jest/globals';
import { parseDocument } from 'htmlparser2';
import { cpuTime } from '../../../tools/testing/cpu-time.ts';
import { createSanitizer, type SanitizeProfile, sanitizeHtml } from '../sanitize.ts';

const profiles: readonly SanitizeProfile[] = ['page', 'comment', 'mail'];

/** Known ways to make HTML run something. */
const vectors: readonly string[] = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<script/x>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src=x OnErRoR=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<img src="x" onerror\n=alert(1)>',
  '<img src=x\u000conerror=alert(1)>',
  '<img src=`x`onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img srcset="javascript:alert(1) 1x">',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><desc><img src=x onerror=alert(1)></desc></svg>',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"></use></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61vascript&colon;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="javascript&colon;alert(1)" target="_blank">x</a>',
  '<a href="#" onclick="alert(1)">x</a>',
  '<a href="x" ping="https://evil.example/">x</a>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<frameset><frame src="javascript:alert(1)"></frameset>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code="x"></applet>',
  '<base href="javascript:alert(1)//">',
  '<link rel="stylesheet" href="javascript:alert(1)">',
  '<link rel="import" href="data:text/html,<script>alert(1)</script>">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<style>@import "//evil.example/x.css";</style>',
  '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="width: expression(alert(1))">x</p>',
  '<p style="position:fixed;top:0;left:0;width:100vw;height:100vh;z-index:9999">x</p>',
  '<p style="behavior:url(x.htc);-moz-binding:url(x.xml#x)">x</p>',
  '<p style="color:red;}</style><script>alert(1)</script>">x</p>',
  '<p style="background-image:url(//evil.example/track.gif)">x</p>',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<form id=x></form><button form=x formaction="javascript:alert(1)">x</button>',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<input onfocus=alert(1) autofocus>',
  '<select onfocus=alert(1) autofocus><option>x</option></select>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<keygen autofocus onfocus=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<video src=x onerror=alert(1)></video>',
  '<video poster="javascript:alert(1)"></video>',
  '<audio src=x onerror=alert(1)></audio>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>',
  '<div onpointerrawupdate=alert(1)>x</div>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><img src=x onerror=alert(1)></template>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<title><img src=x onerror=alert(1)></title>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<noembed><img src="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<option><script>alert(1)</script></option>',
  '<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>',
  '<textarea>&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<<script>alert(1)//<</script>',
  '<p title="--><script>alert(1)</script>">x</p>',
  '<p title="\'><img src=x onerror=alert(1)>">x</p>',
  '<p "onclick=alert(1)">x</p>',
  '<p x="y"onclick="alert(1)">z</p>',
  '<a href="https://good.example" href="javascript:alert(1)">x</a>',
  '<img src="https://good.example/x.png" alt="`onerror=alert(1)`">',
  '<table background="javascript:alert(1)"><tr><td>x</td></tr></table>',
  '<a id="__proto__" name="cookie">x</a><img name="getElementById">',
  '<div is="x-evil" slot="y" contenteditable popover>x</div>',
];

/** What an independent reader finds in HTML that could do harm. */
function harm(html: string): string[] {
  const found: string[] = [];
  const walk = (node: {
    type: string;
    name?: string;
    attribs?: Record<string, string>;
    children?: unknown[];
  }): void => {
    const name = node.name?.toLowerCase() ?? '';
    if (node.type === 'script' || node.type === 'style' || node.type === 'directive' || node.type === 'cdata')
      found.push(node.type);
    if (
      /^(script|style|svg|math|iframe|frame|object|embed|applet|base|link|meta|form|input|button|select|option|textarea|template|noscript|xmp|title|marquee|keygen|isindex|body|html|frameset|animate|use|foreignobject|plaintext|noembed)$/.test(
        name,
      )
    )
      found.push(`<${name}>`);
    for (const [key, value] of Object.entries(node.attribs ?? {})) {
      const plain = value.replace(/[\p{Cc}\p{Z}]/gu, '').toLowerCase();
      if (
        /^on|^(srcdoc|formaction|action|ping|background|name|form|is|slot|contenteditable|popover|autofocus|http-equiv)$/.test(
          key,
        )
      )
        found.push(key);
      if (/^(href|src|poster|cite|data|xlink:href)$/.test(key) && /^(javascript|vbscript|data|file|blob):/.test(plain))
        found.push(`${key}=${value}`);
      if (key === 'srcset' && /script:|data:/.test(plain)) found.push(`srcset=${value}`);
      if (key === 'style' && /url\(|expression|position|z-index|behavior|binding|@import|\\/.test(plain))
        found.push(`style=${value}`);
      if (key === 'id' && value in Object.prototype) found.push(`id=${value}`);
    }
    for (const child of (node.children ?? []) as (typeof node)[]) walk(child);
  };
  walk(parseDocument(html) as unknown as Parameters<typeof walk>[0]);
  return found;
}

test('the list of ways to do harm is long', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(60);
});

describe.each(profiles)('in a %s', (profile) => {
  test('says nothing on the console of pictures it cannot read', () => {
    const said = jest.spyOn(console, 'log').mockImplementation(() => {});
    const broken =
      '<img src="/a.png" srcset="/a.png 1x, /b png 2x"><img srcset="data:image/svg+xml,<svg onload=x> 1x 2w">';
    expect(sanitizeHtml(broken)).toBe('<img src="/a.png" /><img />');
    expect(sanitizeHtml('<img srcset="/a.png, /b.png 2x, /c.png 1.5x">')).toBe(
      '<img srcset="/a.png, /b.png 2x, /c.png 1.5x" />',
    );
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });

  test.each(vectors)('nothing is left to run of %s', (vector) => {
    const once = sanitizeHtml(vector, profile);
    expect(harm(once)).toEqual([]);
    expect(sanitizeHtml(once, profile)).toBe(once);
    expect(harm(sanitizeHtml(`<p>a<b>${vector}</b></p>${vector}`, profile))).toEqual([]);
  });
});

describe('harmless markup stays', () => {
  test.each<[SanitizeProfile, string]>([
    [
      'page',
      '<h1 id="top" class="display-1">A</h1><p style="text-align:center;color:#f00">b <b>c</b> <i>d</i> <u>e</u></p>',
    ],
    ['page', '<section class="container"><div class="row"><div class="col-md-6">x</div></div></section>'],
    [
      'page',
      '<figure><img src="/web/image/1" alt="A" width="10" height="20" loading="lazy" /><figcaption>b</figcaption></figure>',
    ],
    ['page', '<div data-block="dribblo.next_match" data-options="{&quot;n&quot;:1}"></div>'],
    [
      'page',
      '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    ],
    ['page', '<details open><summary>a</summary>b</details>'],
    ['page', '<video src="/a.mp4" controls poster="/b.jpg"></video>'],
    ['page', '<ul><li>a</li></ul><ol start="3"><li>b</li></ol><dl><dt>c</dt><dd>d</dd></dl>'],
    [
      'page',
      '<a href="https://example.org" target="_blank" rel="noopener">a</a><a href="mailto:a@b.org">b</a><a href="#top">c</a>',
    ],
    [
      'comment',
      '<p>a <strong>b</strong> <em>c</em> <code>d</code></p><pre><code class="language-js">e &lt; f</code></pre>',
    ],
    ['comment', '<blockquote>a<br />b</blockquote><img src="https://example.org/a.png" alt="c" />'],
    ['comment', '<a href="/forum/1">a</a>'],
    [
      'mail',
      '<table cellpadding="0" bgcolor="#fff"><tr><td style="padding:10px 20px;border:1px solid #ccc">a</td></tr></table>',
    ],
    ['mail', '<img src="cid:logo" alt="x" />'],
  ])('in a %s: %s', (profile, html) => {
    expect(sanitizeHtml(html, profile)).toBe(html);
  });

  test('text is kept where tags are taken', () => {
    expect(sanitizeHtml('<font>a</font> <center>b</center> <button>c</button>')).toBe('a b c');
  });
});

describe('marks of fields', () => {
  test.each<SanitizeProfile>(['page', 'comment', 'mail'])('are not kept in a %s', (profile) => {
    const marked = '<p data-oe-model="res.users" data-oe-id="1" data-oe-field="name" data-oe-type="char">x</p>';
    expect(sanitizeHtml(marked, profile)).toBe('<p>x</p>');
  });
});

describe('hidden text', () => {
  test.each([
    'display:none',
    'DISPLAY :\n none !important',
    'color:red;d\\69 splay:none',
    'display:/* x */none',
    'mso-hide:all',
    'visibility: hidden',
  ])('is not kept when its style is not: %j', (style) => {
    for (const profile of ['comment', 'mail'] as const)
      expect(sanitizeHtml(`<p>a<span style="${style}">b<b>c</b></span></p>`, profile)).toBe('<p>a</p>');
  });

  test('is kept where it only looks hidden', () => {
    expect(sanitizeHtml('<p style="display:block">a</p><p style="mso-hide:none">b</p>', 'comment')).toBe(
      '<p>a</p><p>b</p>',
    );
  });
});

describe('tables where none are kept', () => {
  test.each([
    [
      '<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>Tea</td><td><b>3.50</b></td></tr></tbody></table>',
      '<p>Name | Price<br>Tea | <b>3.50</b></p>',
    ],
    ['before<table><tr><td><p>A</p><p>B</p></td><td>C</td></tr></table>after', 'before<p>A B | C</p>after'],
    [
      '<table><caption>Prices</caption><colgroup><col span="2"></colgroup><tr><td rowspan="2">Drinks</td><td>Tea</td></tr><tr><td>Coffee</td></tr><tr><td colspan="2">End</td><td>X</td></tr></table>',
      '<p>Prices<br>Drinks | Tea<br> | Coffee<br>End |  | X</p>',
    ],
    ['<table><tr><td>A</td><td>&nbsp;</td><td></td></tr><tr><td> </td><td></td></tr></table>', '<p>A</p>'],
    [
      '<table><tr><td>Left<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></td><td>Right</td></tr></table>',
      '<div>Left<p>1 | 2<br>3 | 4</p></div><p>Right</p>',
    ],
    [
      '<table><tr><td><p>Dear all,</p><ul><li>one</li></ul></td></tr></table>',
      '<div><p>Dear all,</p><ul><li>one</li></ul></div>',
    ],
    [
      '<table><tr><td>A<ul><li>x</li><li>y</li></ul></td><td>B</td></tr></table>',
      '<div>A<ul><li>x</li><li>y</li></ul></div><p>B</p>',
    ],
    ['<table><tr><td><img src="/a.png"></td><td>B</td></tr></table>', '<p><img src="/a.png" /> | B</p>'],
    ['<td>A</td><td>B</td>', ' A  B '],
    ['<table></table>', ''],
    ['<table><tr><td>A<td>B<tr><td>C', '<p>A | B<br>C</p>'],
  ])('become lines: %s', (html, lines) => {
    expect(sanitizeHtml(html, 'comment')).toBe(lines);
    expect(sanitizeHtml(lines, 'comment').replaceAll(' />', '>')).toBe(lines.replaceAll(' />', '>'));
  });

  test('take no more room than their text, whatever spans they claim', () => {
    const row = `<tr>${'<td rowspan=9999 colspan=9999>a'.repeat(1000)}`;
    const html = `<table>${row}${'<tr><td>b'.repeat(3000)}</table>`;
    expect(sanitizeHtml(html, 'comment').length).toBeLessThan(html.length * 8);
    const deep = `${'<table><tr><td>'.repeat(80)}x`;
    expect(sanitizeHtml(deep, 'comment')).toContain('x');
  });
});

describe('a visitor', () => {
  test('cannot make an editor save something into a record, nor place a block', () => {
    expect(
      sanitizeHtml(
        '<p data-oe-model="res.users" data-oe-id="1" data-oe-field="name" data-block="a.b">x</p>',
        'comment',
      ),
    ).toBe('<p>x</p>');
  });

  test('cannot dress as the site', () => {
    expect(
      sanitizeHtml(
        '<div class="position-fixed top-0 w-100 h-100" id="wrap" style="font-size:900px">x</div>',
        'comment',
      ),
    ).toBe('<div>x</div>');
  });

  test('does not lend the site’s name to links elsewhere', () => {
    expect(sanitizeHtml('<a href="https://example.org" rel="follow">x</a>', 'comment')).toBe(
      '<a href="https://example.org" rel="nofollow ugc noopener">x</a>',
    );
  });
});

describe('HTML made to keep the server busy', () => {
  test.each([
    ['deep elements', '<div>'.repeat(100_000)],
    ['deep unknown elements', '<svg>'.repeat(100_000)],
    ['deep lists', '<li><thead>'.repeat(50_000)],
    ['nesting up and down', `${'<b>'.repeat(200)}${'</b>'.repeat(200)}`.repeat(250)],
    ['brackets', '<'.repeat(200_000)],
    ['attributes', `<p ${'title="a" '.repeat(100_000)}>`],
    ['styles', `<p style="${'color:red;'.repeat(50_000)}">`],
  ])('%s is done with in a moment, and harmless', async (_, html) => {
    expect(await cpuTime(() => expect(harm(sanitizeHtml(html))).toEqual([]))).toBeLessThan(3_000);
  });

  test('long texts without end tags are no such thing', () => {
    const html = '<p>a<ul><li>b<li>c</ul>'.repeat(500);
    expect(sanitizeHtml(html)).toMatch(/^<p>a<\/p><ul>/);
  });
});

describe('a sanitiser that remembers', () => {
  test('answers the same, and keeps profiles apart', () => {
    const sanitize = createSanitizer();
    for (let round = 0; round < 2; round++) {
      expect(sanitize('<p class="x">a</p>', 'page')).toBe('<p class="x">a</p>');
      expect(sanitize('<p class="x">a</p>', 'comment')).toBe('<p>a</p>');
      expect(sanitize('<p class="x">a</p>')).toBe('<p class="x">a</p>');
    }
  });

  test('works on when it is full', () => {
    const sanitize = createSanitizer(100);
    for (let n = 0; n < 50; n++)
      expect(sanitize(`<p>${'x'.repeat(n * 3)}<script>y</script></p>`)).toBe(`<p>${'x'.repeat(n * 3)}</p>`);
  });
});
