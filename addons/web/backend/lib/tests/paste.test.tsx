import { plainPaste } from '../paste.ts';

describe('pasting', () => {
  it('takes the looks of other programs away, and keeps words, links and structure', () => {
    const html =
      '<html><head><style>p{color:red}</style></head><body><p class="MsoNormal" style="margin:0" onclick="x()">Hi <a href="/x" style="color:blue">there</a></p><script>alert(1)</script></body></html>';
    expect(plainPaste(html)).toBe('<p>Hi <a href="/x">there</a></p>');
  });

  it('makes a block of code from lines in a monospaced font', () => {
    const style = 'color:#d4d4d4;font-family:Consolas, monospace;\nWHITE-SPACE: pre;';
    expect(plainPaste(`<div style="${style}"><div><span>if (a &lt; 2)</span></div><br><div>  b();</div></div>`)).toBe(
      '<pre><code>if (a &lt; 2)\n\n  b();</code></pre>',
    );
    expect(plainPaste('<div style="white-space:pre;font-family:Georgia"><div>A  poem</div></div>')).not.toContain(
      'pre',
    );
  });

  it('makes lists of what Word writes as paragraphs with marks', () => {
    const line = (level: number, mark: string, text: string) =>
      `<p class="MsoListParagraph" style="text-indent:-.25in;mso-list:l0 level${level} lfo1"><![if !supportLists]><span style="font-family:Symbol"><span style="mso-list:Ignore">${mark}<span>&nbsp; </span></span></span><![endif]>${text}</p>`;
    expect(
      plainPaste(
        `<p style="mso-list:none">Before</p>${line(1, '·', 'One')}${line(2, 'o', 'Deep')}${line(1, '·', 'Two')}<p>Between</p>${line(1, '1.', 'First')}`,
      ),
    ).toBe('<p>Before</p><ul><li>One<ul><li>Deep</li></ul></li><li>Two</li></ul><p>Between</p><ol><li>First</li></ol>');
  });

  it('puts headings below the title of a page', () => {
    const place = { tables: true, blocks: true, titled: true };
    expect(plainPaste('<h1>Party</h1><h2>Food</h2><h6>Note</h6>', place)).toBe(
      '<h2>Party</h2><h3>Food</h3><h6>Note</h6>',
    );
    expect(plainPaste('<h2>Food</h2>', place)).toBe('<h2>Food</h2>');
    expect(plainPaste('<h1>Party</h1>')).toBe('<h1>Party</h1>');
  });

  it('keeps tables, their cells as lines', () => {
    expect(
      plainPaste(
        '<table class=MsoTableGrid border=1><tr><td width=301 style="width:225pt"><p class=MsoNormal>A<o:p></o:p></p><p>B</p></td><td colspan=2><p>C</p></td></tr></table>',
      ),
    ).toBe('<table><tbody><tr><td>A<br>B</td><td colspan="2">C</td></tr></tbody></table>');
  });

  it('knows what is bold in Google Docs, and what is not', () => {
    expect(
      plainPaste(
        '<b style="font-weight:normal;" id="docs-internal-guid-1"><h2><span style="font-weight:700">Title</span></h2><p><span style="font-weight:400">Plain</span><span style="font-weight:700;font-style:italic">loud</span></p></b>',
      ),
    ).toBe('<h2>Title</h2><p>Plain<em><strong>loud</strong></em></p>');
  });

  it('takes from Word what was written: words in bold, wrapped lists, lists in cells, notes; not what is hidden, said beside or empty', () => {
    const item = (mark: string, text: string): string =>
      `<p class=MsoListParagraph style='mso-list:l0\nlevel1 lfo1'><span style='mso-list:Ignore'>${mark}<span>&nbsp;</span></span>${text}<o:p></o:p></p>`;
    const html = [
      '<p class=MsoTitle>Title<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>',
      '<p><b style="mso-bidi-font-weight:normal">Bold</b><span style="display:none;mso-hide:all">Hidden</span><a href="#_ftn1">[1]</a>',
      '<span class=MsoCommentReference><a href="#_msocom_1">[A1]</a></span> <a href="file:///C:/a.docx">file</a></p>',
      `${item('·', 'One')}${item('·', 'Two')}`,
      `<table><thead><tr><td><p>Head</p></td></tr></thead><tr><td>${item('1.', 'First')}${item('2.', 'Second')}</td></tr></table>`,
      "<div style='mso-element:comment-list'><p>Said beside</p></div>",
    ];
    expect(plainPaste(html.join(''))).toBe(
      '<h1>Title</h1><p><b>Bold</b>[1] file</p><ul><li>One</li><li>Two</li></ul><table><thead><tr><th>Head</th></tr></thead><tbody><tr><td>1.&nbsp;First<br>2.&nbsp;Second</td></tr></tbody></table>',
    );
  });

  it('takes one list from the Word of the web, and from Google Docs what stands high and low, without empty lines', () => {
    const item = (text: string): string =>
      `<div class="ListContainerWrapper"><ul><li data-aria-level="1"><p>${text}<span class="EOP">&nbsp;</span></p></li></ul></div>`;
    expect(plainPaste(item('One') + item('Two'))).toBe('<ul><li><p>One</p></li><li><p>Two</p></li></ul>');
    expect(
      plainPaste(
        '<p dir="ltr">H<span style="vertical-align:sub">2</span>O</p><br><ul><li><p>x</p></li></ul><br><br><table><tr><td><ul><li><p>a</p></li><li><p>b</p></li></ul></td></tr></table>',
      ),
    ).toBe('<p>H<sub>2</sub>O</p><ul><li><p>x</p></li></ul><table><tbody><tr><td>a<br>b</td></tr></tbody></table>');
  });

  it('says how many pictures it leaves out', () => {
    const told: number[] = [];
    plainPaste(
      '<p><img src="file:///C:/a.png"><img src="/own.png"><img src="data:image/png;base64,x"></p>',
      undefined,
      (n) => told.push(n),
    );
    expect(told).toEqual([2]);
  });

  it('leaves out pictures of other sites', () => {
    expect(plainPaste('<p><img src="https://evil.example/x.png">a<img src="/x.png"></p>')).toBe(
      '<p>a<img src="/x.png"></p>',
    );
  });

  it('keeps what was copied in the editor as it is', () => {
    const own = '<p data-pm-slice="1 1 []" class="lead">x</p>';
    expect(plainPaste(own)).toBe(own);
  });

  it.each([
    ['display:none'],
    ['display:\nnone'],
    ['DISPLAY: none'],
    ['mso-hide:\n all'],
    ['color:red;display:/* x */none!important'],
    ['d\\69splay:none'],
    ['visibility: Hidden'],
    ['font-size:\n0pt'],
    ['font-size:0.0px'],
    ['mso-element:\ncomment'],
    ['mso-special-character:\ncomment'],
  ])('leaves out what the style hides: %j', (style) => {
    expect(plainPaste(`<p>a<span style="${style}">b<b>c</b></span></p>`)).toMatch(/^<p>a(<b><\/b>)?<\/p>$/);
  });

  it('leaves out what a style sheet hides, and keeps what it hides in print only', () => {
    const css =
      '<!-- .x, p.y {mso-hide:\nall; DISPLAY:none} @media print { .z {display:none} } @list l0:level1 {display:none} -->';
    expect(plainPaste(`<style>${css}</style><p>a<i class=x>b</i></p><p class=y>c</p><p class=z>d</p>`)).toBe(
      '<p>a</p><p>d</p>',
    );
  });

  it('keeps text with a size of its own within text without size, as emails space their columns', () => {
    expect(plainPaste('<div style="font-size:0">gone<p style="font-size:13px">kept</p></div>')).toBe(
      '<div><p>kept</p></div>',
    );
  });

  it.each([
    ["mso-list:\nIgnore'", '1.', 'ol'],
    ["MSO-LIST : ignore'", '(a)', 'ol'],
    ["mso-list:Ignore;font:7.0pt'", '§', 'ul'],
  ])('removes the markers of lists, however they are written: %j', (style, marker, list) => {
    const item = `<p style='text-indent:-18pt;\nmso-list:l0\n level1 lfo1'><span lang=EN-US style='${style}>${marker}<span style='font:7.0pt "Times"'>&nbsp; </span></span>Text</p>`;
    expect(plainPaste(item)).toBe(`<${list}><li>Text</li></${list}>`);
  });

  it('removes the marker that Outlook writes between conditional comments', () => {
    const item = `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span>·<span>&nbsp; </span></span><![endif]>Text</p>`;
    expect(plainPaste(`<div class=WordSection1>${item}</div>`)).toBe('<div><ul><li>Text</li></ul></div>');
  });

  it('removes the numbers of headings, which Word counts by itself', () => {
    expect(
      plainPaste(
        "<div class=WordSection1><h1 style='mso-list:l0 level1 lfo1'><span style='mso-list:\nIgnore'>1.<span>&nbsp;</span></span>One</h1><h2 style='mso-list:l0 level2 lfo1'><![if !supportLists]><span>·</span><![endif]>Two</h2></div>",
      ),
    ).toBe('<div><h1>One</h1><h2>Two</h2></div>');
  });

  it('keeps the number a list starts with', () => {
    const item = (n: number) => `<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>${n}.</span>x</p>`;
    expect(plainPaste(`${item(5)}${item(6)}`)).toBe('<ol start="5"><li>x</li><li>x</li></ol>');
  });

  it('leaves out comments of reviewers in Google Docs and deletions that Word tracks', () => {
    expect(
      plainPaste(
        '<p>a<sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup><span class=msoDel><del>gone</del></span></p><div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a>said</p></div>',
      ),
    ).toBe('<p>a</p>');
  });

  const noTables = { tables: false, blocks: true };
  const lineOnly = { tables: false, blocks: false };
  it.each([
    [
      'Google Sheets',
      '<google-sheets-html-origin><style>td {border: 1px solid #ccc}</style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td data-sheets-value="x">Name</td><td>Price</td></tr><tr><td>Tea</td><td style="text-align:right;">3.50</td></tr></tbody></table></google-sheets-html-origin>',
    ],
    [
      'LibreOffice',
      '<table cellspacing="0" border="0"><colgroup width="85"></colgroup><tr><td height="17" align="left"><font face="Liberation Sans">Name</font></td><td>Price</td></tr><tr><td>Tea</td><td sdval="3.5">3.50</td></tr></table>',
    ],
    [
      'Word',
      "<table class=MsoTableGrid><tr style='mso-yfti-irow:0'><td width=301><p class=MsoNormal><span lang=EN-US>Name<o:p></o:p></span></p></td><td><p class=MsoNormal>Price<o:p></o:p></p></td></tr><tr><td><p>Tea</p></td><td><p>3.50</p></td></tr></table>",
    ],
  ])('makes lines of a table from %s where none is kept', (_program, html) => {
    expect(plainPaste(html, noTables)).toBe('<p>Name | Price<br>Tea | 3.50</p>');
    expect(plainPaste(html, lineOnly)).toBe('Name | Price<br>Tea | 3.50');
  });

  it('makes lines of paragraphs and lists where only lines are kept, also of what was copied in the editor', () => {
    expect(plainPaste('<h1>A</h1><p>b <b>c</b></p><ul><li>d</li><li>e</li></ul>f', lineOnly)).toBe(
      'A<br>b <b>c</b><br>d<br>e<br>f',
    );
    expect(plainPaste('<p data-pm-slice="1 1 []" class="lead">x</p><p>y</p>', lineOnly)).toBe('x<br>y');
    expect(
      plainPaste('<table data-pm-slice="0 0 []"><tbody><tr><td>a</td><td>b</td></tr></tbody></table>', noTables),
    ).toBe('<p>a | b</p>');
  });

  it('takes the text of Gmail, Apple Notes and Notion without their wrappers and empty lines', () => {
    expect(plainPaste('<meta charset="utf-8"><div dir="ltr">Hello<div><br></div><div>there<br></div></div>')).toBe(
      '<div>Hello<div>there<br></div></div>',
    );
    expect(
      plainPaste(
        '<style>p.p1 {margin: 0.0px}</style><p class="p1"><span class="s1"></span><br></p><p class="p1"><b>Title</b><span class="Apple-converted-space">&nbsp;</span></p><ul class="ul1"><li class="li1"><span class="s2"></span>One</li></ul>',
      ),
    ).toBe('<p><b>Title</b>&nbsp;</p><ul><li>One</li></ul>');
    expect(plainPaste('<!-- notionvc: 1 --><h1>T</h1>\n<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>')).toBe(
      '<h1>T</h1>\n<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>',
    );
  });

  it.each([
    ['lines of text', '<div>a<br>b<br>c</div>', '<div>a<br>b<br>c</div>'],
    ['one empty line between lines', '<div>a<br><br><br>b</div>', '<div>a<br><br>b</div>'],
    [
      'lines, not blocks from an empty line before them',
      '<p>a</p><div><br>b<b><br>c</b></div>',
      '<p>a</p><div>b<b><br>c</b></div>',
    ],
    ['lines after a paragraph', '<p>a</p><br>b<br>c', '<p>a</p>b<br>c'],
    ['lines of a viewer of PDF', '<span>a</span><br><span>b</span><br><span>c</span>', 'a<br>b<br>c'],
    ['lines of code', '<pre>a<br>  b<br>c</pre>', '<pre><code>a\n  b\nc</code></pre>'],
  ])('keeps %s apart', (_what, html, expected) => {
    expect(plainPaste(html)).toBe(expected);
  });

  it('leaves out tracked deletions and links to places in the document', () => {
    expect(
      plainPaste(
        '<p>a<del cite="mailto:x" datetime="2026-11-28T10:00">gone</del><ins datetime="2026-11-28T10:00">new</ins><a class="sdfootnoteanc" href="#sdfootnote1sym"><sup>1</sup></a></p>',
      ),
    ).toBe('<p>anew<sup>1</sup></p>');
  });

  it('leaves out the buttons, forms, drawings and films of a page, not its links', () => {
    expect(
      plainPaste(
        '<p>a</p><button>Buy</button><div role="button">Menu</div><select><option>x</option></select><textarea>y</textarea><svg><text>z</text></svg><video>none</video><a role="button" href="/b">b</a>',
      ),
    ).toBe('<p>a</p><a href="/b">b</a>');
  });

  it('keeps of a block of code its code, not its heading', () => {
    expect(
      plainPaste(
        '<pre><div><div>bash</div><button>Copy code</button><div><code><span>cd</span> x\nls\n</code></div></div></pre>',
      ),
    ).toBe('<pre><code>cd x\nls</code></pre>');
    expect(plainPaste('<pre><code><div>a</div><div>  b</div></code></pre>')).toBe('<pre><code>a\n  b</code></pre>');
  });

  it('keeps emoji that are shown as pictures', () => {
    const left: number[] = [];
    const html = ['🙂', '👩‍👩‍👧', '🇫🇷', '5', ':tada:', '']
      .map((alt) => `<img src="https://chat.example/x.png" alt="${alt}">`)
      .join('');
    expect(plainPaste(`<p>${html}</p>`, undefined, (n) => left.push(n))).toBe('<p>🙂👩‍👩‍👧🇫🇷</p>');
    plainPaste('<ul><li role="checkbox"><img src="data:image/png;base64,x" alt="checked">a</li></ul>', undefined, (n) =>
      left.push(n),
    );
    expect(left).toEqual([3]);
  });

  it('makes blocks of the tables that arrange an email', () => {
    const cell = (content: string) => `<table role="presentation"><tbody><tr><td>${content}</td></tr></tbody></table>`;
    const html = cell(
      `<h1>Sale</h1>${cell('<p>Cheaper</p>')}<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>`,
    );
    expect(plainPaste(html)).toBe(
      '<div><h1>Sale</h1><div><p>Cheaper</p></div><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div>',
    );
  });

  it('nests the lists of Word on the web and Slack, and takes headings by their role', () => {
    const item = (level: number, text: string, list = 'ul') =>
      `<div class="ListContainerWrapper"><${list} role="list"><li data-aria-level="${level}">${text}</li></${list}></div>`;
    expect(
      plainPaste(
        `<p role="heading" aria-level="2">T</p>${item(1, 'a')}${item(2, 'b')}${item(3, 'c')}${item(2, 'd')}${item(1, 'e')}${item(1, 'f', 'ol')}`,
      ),
    ).toBe(
      '<h2>T</h2><ul><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ul><ol><li>f</li></ol>',
    );
    const slack = (indent: number, text: string) => `<ul><li data-stringify-indent="${indent}">${text}</li></ul>`;
    expect(plainPaste(slack(0, 'a') + slack(1, 'b') + slack(0, 'c'))).toBe(
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
    );
  });
});
