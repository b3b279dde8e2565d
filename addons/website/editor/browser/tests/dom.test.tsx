import { blockAt, blockPath, changedPart, chooseClass, chosenClass, moveAction, topBlocks } from '../dom/blocks.ts';
import { isFlow } from '../dom/flow.ts';
import { previewOf } from '../dom/preview.ts';
import { findRegions } from '../dom/regions.ts';
import { overrideAttributes, restoreAttributes, serialize } from '../dom/serialize.ts';

function page(html: string): HTMLElement {
  const root = document.createElement('div');
  root.innerHTML = html;
  document.body.replaceChildren(root);
  return root;
}
const regionsOf = (html: string) => {
  const root = page(html);
  return findRegions(root).map(
    ({ element, kind }) =>
      `${kind}: ${element === root ? 'root' : element.outerHTML.replace(/\s+/g, ' ').slice(0, 60)}`,
  );
};

describe('running text', () => {
  it.each([
    ['<p>One <b>two</b> <a class="btn" href="/x">three</a></p>', true],
    ['<h2>Title <small>more</small></h2>', true],
    ['<ul><li>One</li><li><p>Two</p><ul><li>Three</li></ul></li></ul>', true],
    ['<blockquote><p>Said</p></blockquote>', true],
    ['<hr>', true],
    ['<p><img src="/x.png" alt=""></p>', true],
    ['<div>One</div>', false],
    ['<section><p>One</p></section>', false],
    ['<a href="/x"><div>Card</div></a>', false],
    ['<ul><li><div>One</div></li></ul>', false],
    ['<blockquote><p>Said</p><footer>Who</footer></blockquote>', false],
    ['<ul><li><p>1998</p><h3>A roof</h3><p>Beam by beam</p></li></ul>', false],
    ['<p data-block="x.y"></p>', false],
    ['<table><tbody><tr><td>x</td></tr></tbody></table>', false],
  ])('%s: %s', (html, expected) => {
    expect(isFlow(page(html).firstElementChild as Element)).toBe(expected);
  });
});

describe('the texts of a field', () => {
  it('are the field itself when it holds nothing but text', () => {
    expect(regionsOf('<p>One</p><p>Two</p>')).toEqual(['flow: root']);
    expect(regionsOf('Just <b>words</b>')).toEqual(['line: root']);
  });

  it('are each innermost box of text, in the order of the page', () => {
    const regions = regionsOf(
      '<section><div class="container"><div class="row"><div class="col-6"><h2>A</h2><p>B</p></div><div class="col-6"><div class="badge">C</div></div></div></div></section>',
    );
    expect(regions).toEqual(['flow: <div class="col-6"><h2>A</h2><p>B</p></div>', 'line: <div class="badge">C</div>']);
  });

  it('are wrapped where they stand beside structure, and unwrapped when saved', () => {
    const html =
      '<div class="container"><h2>A</h2><p>B</p><div class="row"><div class="col">C</div></div><p>D</p></div>';
    const root = page(html);
    expect(findRegions(root).map(({ element }) => element.textContent)).toEqual(['AB', 'C', 'D']);
    expect(root.querySelectorAll('[data-ed-run]')).toHaveLength(2);
    expect(serialize(root)).toBe(html);
  });

  it('are wrapped once all layouts are known, so that a long page is laid out once', () => {
    const regionCounts: number[] = [];
    const originalStyle = globalThis.getComputedStyle;
    globalThis.getComputedStyle = (element) => {
      regionCounts.push(document.querySelectorAll('[data-ed-run]').length);
      return originalStyle(element);
    };
    const regions = regionsOf('<section><p>A</p><div class="row"></div></section>'.repeat(3));
    globalThis.getComputedStyle = originalStyle;
    expect(regions).toHaveLength(3);
    expect(regionCounts).toEqual(regionCounts.map(() => 0));
  });

  it('are each by themselves in flex and grid boxes, where a wrapper would show', () => {
    const regions = regionsOf(
      '<div style="display: flex"><h2>A</h2><ul><li>B</li></ul><div class="box"><p>C</p></div></div>',
    );
    expect(regions).toEqual(['line: <h2>A</h2>', 'line: <li>B</li>', 'flow: <div class="box"><p>C</p></div>']);
  });

  it('are not what blocks show, nor pictures and lines across by themselves', () => {
    expect(
      regionsOf(
        '<section><div data-block="a.b"><p>Filled</p></div><figure><img src="/x.png" alt=""><figcaption>Words</figcaption></figure></section>',
      ),
    ).toEqual(['line: <figcaption>Words</figcaption>']);
    expect(regionsOf('<figure><a href="/x.png"><img src="/x.png" alt=""></a></figure>')).toEqual([]);
    expect(regionsOf('<div class="s_separator"><div class="container"><hr></div></div>')).toEqual([]);
  });

  it('are the cells of tables', () => {
    expect(regionsOf('<table><tbody><tr><td>A</td><td><p>B</p></td></tr></tbody></table>')).toEqual([
      'line: <td>A</td>',
      'flow: <td><p>B</p></td>',
    ]);
  });

  it('may be empty in columns', () => {
    expect(regionsOf('<div class="row"><div class="col-6"></div><div class="col-6"><p>x</p></div></div>')).toHaveLength(
      2,
    );
  });
});

it('a preview has nothing of the editor, nor what is seen only further down', () => {
  const page = document.implementation.createHTMLDocument('About');
  page.documentElement.setAttribute('data-ed-on', '');
  page.body.innerHTML =
    '<div class="editor-bar"></div><div data-editor-place=""></div><main><p contenteditable="true" data-ed-region="">One</p><span data-ed-handle=""></span></main><a class="back-to-top" data-shown=""></a><div class="ed-root"></div>';
  expect(previewOf(page)).toMatch(
    /^<!doctype html><html><head>.*<\/head><body><main><p>One<\/p><\/main><\/body><\/html>$/,
  );
});

describe('what is saved', () => {
  it('has nothing of the editor: attributes, classes, handles, places, cursors', () => {
    const root = page(
      '<section class="s_banner ed-x ProseMirror" data-ed-kept="{}" contenteditable="true"><p data-ed-region="">A<br class="ProseMirror-trailingBreak"></p><span data-ed-handle=""></span></section><div data-ed-place=""></div>',
    );
    expect(serialize(root)).toBe('<section class="s_banner"><p>A</p></section>');
  });

  it('has nothing of the dragging that brought a block to its place', () => {
    const root = page('<section style="" class="sortable-chosen">A</section><p style="color: red">B</p>');
    expect(serialize(root)).toBe('<section>A</section><p style="color: red">B</p>');
    root.innerHTML = '<p style="transition: transform 150ms; transform: translate3d(0px, 0px, 0px); color: red;">C</p>';
    expect(serialize(root)).toBe('<p style="color: red;">C</p>');
  });

  it('has blocks without what they show', () => {
    const root = page(
      '<div data-block="a.b" data-options="{}"><p>Shown <span data-block="c.d">inside</span></p></div>',
    );
    expect(serialize(root)).toBe('<div data-block="a.b" data-options="{}"></div>');
  });

  it('has lent attributes as they were before', () => {
    const root = page('<p role="note">A</p><p>B</p>');
    for (const p of root.querySelectorAll('p')) overrideAttributes(p, { role: 'textbox', tabindex: '0' });
    for (const p of root.querySelectorAll('p')) overrideAttributes(p, { role: 'button' });
    expect(serialize(root)).toBe('<p role="note">A</p><p>B</p>');
    expect(root.innerHTML).toContain('role="button"');
    for (const p of root.querySelectorAll('p')) restoreAttributes(p);
    expect(root.innerHTML).toBe('<p role="note">A</p><p>B</p>');
  });
});

describe('blocks', () => {
  const html =
    '<section id="a"><div class="container"><div class="row"><div class="col" id="b"><p id="c">x</p></div><div class="col"></div></div></div></section><section id="d"></section><span data-ed-handle=""></span>';

  it('are found from inside, with those around them', () => {
    const root = page(html);
    const column = blockAt(root, document.getElementById('c')?.firstChild ?? null);
    expect(column?.id).toBe('b');
    expect(blockPath(root, column as HTMLElement).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(topBlocks(root).map(({ id }) => id)).toEqual(['a', 'd']);
    expect(blockAt(root, root)).toBeNull();
  });

  it('are columns with the card that fills them, so that a copy stands beside it', () => {
    const root = page(
      '<section><div class="row"><div class="col"><figure><p>One</p></figure></div><div class="col"><figure><p>Two</p></figure><p>More</p></div></div></section>',
    );
    expect([...root.querySelectorAll('p')].map((text) => blockAt(root, text)?.localName)).toEqual([
      'div',
      'figure',
      'div',
    ]);
  });

  it('are the people, steps and prices of a list, each with a text of its own', () => {
    const root = page(
      '<section><ul><li><img src="/x.png" alt=""><h3>Ann</h3></li><li><h3>Bo</h3></li></ul><ul class="s_prices"><li><p>Soup</p><p>6</p></li></ul><ul><li>Plain</li></ul></section>',
    );
    expect(findRegions(root).map(({ element }) => element.textContent)).toEqual(['Ann', 'Bo', 'Soup6', 'Plain']);
    const names = [...root.querySelectorAll('h3, p, li')].map((element) => blockAt(root, element)?.localName);
    expect(names).toEqual(['li', 'li', 'li', 'li', 'li', 'li', 'li', 'section']);
  });

  it('move past their neighbours, and not past the end', () => {
    const root = page(html);
    const first = document.getElementById('a') as HTMLElement;
    expect(moveAction(root, first, 'up')).toBeNull();
    moveAction(root, first, 'down')?.();
    expect(topBlocks(root).map(({ id }) => id)).toEqual(['d', 'a']);
    expect(moveAction(root, first, 'down')).toBeNull();
  });

  it('go on into the next column, and past the columns within themselves', () => {
    const inner = '<div class="row"><div>1</div><div>2</div></div>';
    const root = page(
      `<section><div class="row"><div id="one"><p>A</p><section data-name="x" id="it">${inner}</section></div><div><div class="card"><div class="card-body" id="two"><p>B</p></div></div></div></div></section>`,
    );
    const block = document.getElementById('it') as HTMLElement;
    const where = () => block.parentElement?.id;
    moveAction(root, block, 'down')?.();
    expect([where(), block.nextElementSibling?.textContent]).toEqual(['two', 'B']);
    moveAction(root, block, 'up')?.();
    expect([where(), block.previousElementSibling?.textContent]).toEqual(['one', 'A']);
  });

  it('are found by what differs from a former state', () => {
    const column = (...texts: string[]): string => `<div>${texts.map((text) => `<p>${text}</p>`).join('')}</div>`;
    const columnOf = (text: string): HTMLElement => {
      const holder = document.createElement('div');
      holder.innerHTML = text;
      return holder;
    };
    const changed = (now: string, then: string, selection = '') =>
      changedPart(columnOf(now), columnOf(then), columnOf(selection).firstElementChild).textContent;
    expect(changed(column('1', '2'), column('1', '3'))).toBe('2');
    expect(changed('<p class="x">1</p><p>2</p>', '<p>1</p><p>2</p>')).toBe('1');
    expect(changed('<p>1</p><h2>2</h2>', '<p>1</p>')).toBe('2');
    expect(changed('<p>1</p><p>3</p>', '<p>1</p><p>2</p><p>3</p>')).toBe('3');
    expect(changed('<p>1</p>', '<p>1</p><p>2</p>')).toBe('1');
    expect(changed('<p>1</p><p>2</p>', '<p>2</p><p>1</p>', '<p>2</p>')).toBe('2');
    expect(changed(column('1') + column('2', '3'), column('1', '3') + column('2'), '<p>3</p>')).toBe('3');
  });

  it('have one class of a group at a time', () => {
    const element = document.createElement('p');
    element.className = 'py-5 other';
    const group = ['', 'py-0', 'py-5', 'd-none d-md-block'];
    expect(chosenClass(element, group)).toBe('py-5');
    chooseClass(element, group, 'd-none d-md-block');
    expect(element.className).toBe('other d-none d-md-block');
    expect(chosenClass(element, group)).toBe('d-none d-md-block');
    chooseClass(element, group, '');
    expect(element.className).toBe('other');
  });
});
