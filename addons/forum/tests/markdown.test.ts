import { plainText, teaser } from '../services/html-text.ts';
import { htmlFromTyped } from '../services/markdown.ts';
import { looksLikeMarkdown } from '../services/text-kind.ts';

describe('What is typed into a plain box', () => {
  it.each([
    ['two\n\nparagraphs', '<p>two</p><p>paragraphs</p>'],
    ['one\nline after another', '<p>one<br>line after another</p>'],
    [
      '**bold** and *slanted* and `a < b`',
      '<p><strong>bold</strong> and <em>slanted</em> and <code>a &lt; b</code></p>',
    ],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['1. one\n2) two', '<ol><li>one</li><li>two</li></ol>'],
    ['> said\n> before', '<blockquote><p>said<br>before</p></blockquote>'],
    ['```\n<script>\n```', '<pre><code>&lt;script&gt;</code></pre>'],
    ['# Title', '<h3>Title</h3>'],
    ['[here](https://example.org)', '<p><a href="https://example.org">here</a></p>'],
    ['[no](javascript:alert(1))', '<p>[no](javascript:alert(1))</p>'],
    ['2 < 3 and 5 > 4', '<p>2 &lt; 3 and 5 &gt; 4</p>'],
    ['snake_case_word stays', '<p>snake_case_word stays</p>'],
    ['<p>HTML stays</p>', '<p>HTML stays</p>'],
    ['', ''],
  ])('%j becomes %s', (typed, html) => expect(htmlFromTyped(typed)).toBe(html));

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
    '_a ',
  ])('is read at once, also when it is nothing but %j (C24)', (piece) => {
    const text = `# ${piece.repeat(64_000 / piece.length)}x`;
    const began = performance.now();
    for (const typed of [text, text.slice(2)]) [htmlFromTyped(typed), looksLikeMarkdown(typed)];
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('keeps headings that are closed, and quotes of quotes up to a depth', () => {
    expect(htmlFromTyped('## Title ##')).toBe('<h4>Title</h4>');
    expect(htmlFromTyped('>> twice')).toBe('<blockquote><blockquote><p>twice</p></blockquote></blockquote>');
    expect(htmlFromTyped('>'.repeat(9))).toContain('&gt;');
  });

  it('is told in plain words elsewhere', () => {
    expect(plainText('<p>One &amp; <b>two</b></p><ul><li>three</li></ul>')).toBe('One & two\nthree');
    expect(teaser(`<p>${'word '.repeat(100)}</p>`).length).toBeLessThanOrEqual(180);
    expect(plainText(null)).toBe('');
  });
});
