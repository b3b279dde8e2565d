import { sanitizeHtml } from 'pergola';
import { cpuTime } from 'pergola/testing';
import { plainText, teaser } from '../services/html-text.ts';
import { looksLikeMarkdown } from '../services/text-kind.ts';
import { htmlFromTyped } from '../services/typed-text.ts';

describe('What is typed into a plain box', () => {
  it.each([
    ['two\n\nparagraphs', '<p>two</p><p>paragraphs</p>'],
    ['one\nline after another', '<p>one<br>line after another</p>'],
    [
      '**bold** and *slanted* and `a < b`',
      '<p><strong>bold</strong> and <em>slanted</em> and <code>a &lt; b</code></p>',
    ],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    ['> said\n> before', '<blockquote><p>said<br>before</p></blockquote>'],
    ['```\n<script>\n```', '<pre><code>&lt;script&gt;</code></pre>'],
    ['# Title', '<h3>Title</h3>'],
    ['[here](https://example.org)', '<p><a href="https://example.org">here</a></p>'],
    ['[no](javascript:alert(1))', '<p>[no](javascript:alert(1))</p>'],
    ['2 < 3 and 5 > 4', '<p>2 &lt; 3 and 5 &gt; 4</p>'],
    ['snake_case_word stays', '<p>snake_case_word stays</p>'],
    ['<p>HTML stays</p>', '<p>HTML stays</p>'],
    ['', ''],
    ['x<y>z; List<String> and a<b>c', '<p>x&lt;y&gt;z; List&lt;String&gt; and a&lt;b&gt;c</p>'],
    ['Use `<b>` for **this**', '<p>Use <code>&lt;b&gt;</code> for <strong>this</strong></p>'],
    [
      'See:\n\n```html\n<div class="x">\n</div>\n```\n\nWhy?',
      '<p>See:</p><pre><code class="language-html">&lt;div class=&quot;x&quot;&gt;\n&lt;/div&gt;</code></pre><p>Why?</p>',
    ],
    ['    <div>x</div>', '<pre><code>&lt;div&gt;x&lt;/div&gt;</code></pre>'],
    ['\n    if (a)\n      <b>', '<pre><code>if (a)\n  &lt;b&gt;</code></pre>'],
    ['<div> closes <p> here', '<p>&lt;div&gt; closes &lt;p&gt; here</p>'],
    ['<div>a</div> or <p>b</p>', '<p>&lt;div&gt;a&lt;/div&gt; or &lt;p&gt;b&lt;/p&gt;</p>'],
    ['<div>a</div> or <p>b</p>?', '<p>&lt;div&gt;a&lt;/div&gt; or &lt;p&gt;b&lt;/p&gt;?</p>'],
    ['Thank <b>you</b>, <SUP>2</SUP>', '<p>Thank <b>you</b>, <sup>2</sup></p>'],
    ['a<br>b<BR />\nc `<br>`', '<p>a<br>b<br>c <code>&lt;br&gt;</code></p>'],
    ['a<b>c and </b', '<p>a&lt;b&gt;c and &lt;/b</p>'],
    ['</b> `<b>x</b>`', '<p>&lt;/b&gt; <code>&lt;b&gt;x&lt;/b&gt;</code></p>'],
    ['<b onclick="x()">a</b>', '<p>&lt;b onclick=&quot;x()&quot;&gt;a&lt;/b&gt;</p>'],
    ['<h2>T</h2>\n<p title="a > b">x<br>y</p><hr><div><div>z</div></div>', null],
    ['<P>HTML</P>', null],
    ['5. five\n6. six', '<ol start="5"><li>five</li><li>six</li></ol>'],
    ['1. a\n\n2. b\n\n3. c', '<ol><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ol>'],
    ['1.\n\n2.\n\n3.', '<ol><li></li><li></li><li></li></ol>'],
    ['- a\n  - b\n    1. c', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul>'],
    ['````\n```\n````', '<pre><code>```</code></pre>'],
    ['[x](https://example.org/a_(b))', '<p><a href="https://example.org/a_(b)">x</a></p>'],
    ['~~gone~~', '<p><s>gone</s></p>'],
    ['https://example.org and README.md', '<p>https://example.org and README.md</p>'],
  ])('%j becomes %s', (typed, html) => expect(htmlFromTyped(typed, false)).toBe(html ?? typed));

  it('makes links of plain addresses for those who may write links', () => {
    expect(htmlFromTyped('See https://example.org/x. Or www.example.org, me@example.org, not README.md.', true)).toBe(
      '<p>See <a href="https://example.org/x">https://example.org/x</a>. Or <a href="http://www.example.org">www.example.org</a>, <a href="mailto:me@example.org">me@example.org</a>, not README.md.</p>',
    );
    expect(htmlFromTyped('`https://example.org`', true)).toBe('<p><code>https://example.org</code></p>');
  });

  it('makes lines of tables, which comments have none of', () => {
    const table = '| Name | Price |\n| --- | ---: |\n| Tea | **3.50** |';
    expect(sanitizeHtml(htmlFromTyped(table, false), 'comment')).toBe(
      '<p>Name | Price<br />Tea | <strong>3.50</strong></p>'.replace(' />', '>'),
    );
    expect(looksLikeMarkdown(table)).toBe(true);
  });

  it('lets no script or foreign protocol through', () => {
    for (const text of [
      '<script>alert(1)</script>',
      '[x](javascript:alert(1))',
      '![x](data:text/html,x)',
      '<div><script>alert(1)</script></div>',
    ])
      expect(sanitizeHtml(htmlFromTyped(text, true), 'comment')).not.toMatch(/<script|href="(javascript|data)|src=/);
  });

  it.each([
    ['# Title', true],
    ['- a list', true],
    ['a **bold** word', true],
    ['Just a sentence. And another one.', false],
    ['2 * 3 * 4', false],
  ])('%j is Markdown: %s', (text, is) => expect(looksLikeMarkdown(text)).toBe(is));

  it.each([
    '![',
    '[',
    '[](',
    '**a',
    '~~a ',
    ' *a',
    '# ',
    '#',
    '> ',
    '>',
    '- ',
    '`',
    '\n',
    ' ',
    '\\',
    '1. ',
    '<',
    '<b>',
    '<b></b>',
    '_a ',
  ])('is read at once, also when it is nothing but %j (C24)', async (piece) => {
    const text = `# ${piece.repeat(64_000 / piece.length)}x`;
    const spent = await cpuTime(() => {
      for (const typed of [text, text.slice(2)]) [htmlFromTyped(typed, true), looksLikeMarkdown(typed)];
    });
    expect(spent).toBeLessThan(2_000);
  });

  it('keeps headings that are closed, and quotes of quotes up to a depth', () => {
    expect(htmlFromTyped('## Title ##', false)).toBe('<h4>Title</h4>');
    expect(htmlFromTyped('>> twice', false)).toBe('<blockquote><blockquote><p>twice</p></blockquote></blockquote>');
    expect(htmlFromTyped('>'.repeat(500), false)).toMatch(/^(<blockquote>)+/);
  });

  it('is told in plain words elsewhere', () => {
    expect(plainText('<p>One &amp; <b>two</b></p><ul><li>three</li></ul>')).toBe('One & two\nthree');
    expect(teaser(`<p>${'word '.repeat(100)}</p>`).length).toBeLessThanOrEqual(180);
    expect(plainText(null)).toBe('');
  });
});
