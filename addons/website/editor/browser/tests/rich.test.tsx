import { Editor } from '@tiptap/core';
import { align, alignmentOf } from '../rich/align.ts';
import { RegionEditor } from '../rich/region-editor.ts';
import { extensionsFor, type TextKind } from '../rich/schema.ts';

/** jsdom has no layout, but the editor reads it. */
beforeAll(() => {
  const nowhere = () => ({ top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0, toJSON: () => ({}) });
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = nowhere;
  document.elementFromPoint = () => null;
});

function through(html: string, kind: TextKind = { kind: 'flow', profile: 'page' }): string {
  const editor = new Editor({ element: null, content: html, extensions: extensionsFor(kind), injectCSS: false });
  const result = editor.getHTML();
  editor.destroy();
  return result;
}

/** Sorts attributes, since their order is irrelevant. */
function sorted(html: string): string {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  for (const element of holder.content.querySelectorAll('*')) {
    const attributes = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of attributes) element.removeAttribute(name);
    for (const { name, value } of attributes) element.setAttribute(name, value);
  }
  return holder.innerHTML;
}

describe('texts of pages go through the editor as they are', () => {
  it.each([
    '<p>Plain</p>',
    '<p class="lead text-center" id="top">Lead</p>',
    '<h2 class="s_display">Title <small class="text-body-secondary">more</small></h2>',
    '<p><a href="/contactus" class="btn btn-primary btn-lg">Button</a> <a href="/x">link</a></p>',
    '<p><a href="https://example.org" target="_blank" rel="noopener">out</a></p>',
    '<ul class="list-unstyled"><li><p>One</p></li><li class="x"><p>Two</p></li></ul>',
    '<ol start="3"><li><p>Three</p></li></ol>',
    '<blockquote class="blockquote"><p>Said</p></blockquote>',
    '<p><span class="badge">New</span> <kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <mark>seen</mark></p>',
    '<p><span class="icon" aria-hidden="true"></span> with an icon</p>',
    '<p><img src="/x.png" alt="x" width="3" height="2" class="rounded" loading="lazy" srcset="/y.png 2x"></p>',
    '<p style="color: rgb(31, 107, 74);">Green</p>',
    '<p lang="fr">Bonjour</p>',
    '<p>One<br>two</p>',
    '<hr class="my-5">',
    '<pre><code>a = 1\n  b = 2</code></pre>',
    '<p><strong>bold</strong> <em>italic</em> <s>gone</s> <u>under</u> <code>x</code></p>',
    '<p><abbr title="Hypertext">HTML</abbr> <time datetime="2026-11-21">today</time></p>',
  ])('%s', (html) => expect(sorted(through(html))).toBe(sorted(html)));

  it('with tables, as the snippet of one', () => {
    expect(
      through(
        '<p>Before</p><table><thead><tr><th>A</th></tr></thead><tbody><tr><td colspan="2">One<br><strong>two</strong></td></tr></tbody></table>',
      ),
    ).toBe(
      '<p>Before</p><div class="table-responsive"><table class="table"><tbody><tr><th>A</th></tr><tr><td colspan="2">One<br><strong>two</strong></td></tr></tbody></table></div>',
    );
    expect(through('<table><tr><td>A</td></tr></table>', { kind: 'flow', profile: 'comment' })).toBe('<p>A</p>');
  });

  it('in one line, without paragraphs', () => {
    expect(through('One <strong>two</strong><br>three', { kind: 'line', profile: 'page' })).toBe(
      'One <strong>two</strong><br>three',
    );
  });
});

describe('texts of visitors', () => {
  it('keep no classes, ids and styles', () => {
    expect(
      through('<p class="x" style="color:red" id="y">a <span class="z">b</span></p>', {
        kind: 'flow',
        profile: 'comment',
      }),
    ).toBe('<p>a b</p>');
  });

  it('have no links that run something', () => {
    expect(through('<p><a href="javascript:alert(1)">x</a></p>', { kind: 'flow', profile: 'comment' })).not.toContain(
      'javascript',
    );
  });
});

describe('a text of the page', () => {
  const start = (html: string, kind: 'flow' | 'line' = 'flow') => {
    const element = document.createElement('div');
    element.className = 'col';
    element.setAttribute('role', 'note');
    element.innerHTML = html;
    document.body.replaceChildren(element);
    const region = new RegionEditor(
      { element, kind },
      { profile: 'page', label: 'Content', onUpdate: () => {}, onPictures: () => {} },
    );
    return { element, region };
  };

  it('comes back to the letter when nothing was typed, whatever the editor would make of it', () => {
    const html = '<p>One</p>\n\n<ul>\n<li>Two</li>\n</ul>';
    const { element, region } = start(html);
    expect(element.getAttribute('contenteditable')).toBe('true');
    expect(region.changed).toBe(false);
    region.close();
    expect(element.outerHTML).toBe(`<div class="col" role="note">${html}</div>`);
  });

  it('is no stop of its own within what opens', () => {
    const summary = document.createElement('summary');
    summary.innerHTML = '<span>Ask</span>';
    document.body.replaceChildren(summary);
    const element = summary.firstElementChild as HTMLElement;
    const options = { profile: 'page', label: 'Title', onUpdate: () => {}, onPictures: () => {} } as const;
    const region = new RegionEditor({ element, kind: 'line' }, options);
    expect(['contenteditable', 'tabindex'].map((name) => element.getAttribute(name))).toEqual(['true', null]);
    region.close();
  });

  it('holds what was typed', () => {
    const { element, region } = start('<p>One</p>');
    region.editor.commands.insertContentAt(1, 'Zero ');
    expect(region.changed).toBe(true);
    expect(region.html).toBe('<p>Zero One</p>');
    region.close();
    expect(element.innerHTML).toBe('<p>Zero One</p>');
    expect(element.getAttributeNames().sort()).toEqual(['class', 'role']);
  });

  it('has the cursor at once where it was pressed: what a second click selects stays selected', async () => {
    const { element, region } = start('<p>Good things grow</p>');
    region.editor.view.posAtCoords = () => ({ pos: 3, inside: 0 });
    region.focusAt({ x: 1, y: 1 });
    expect([document.activeElement, region.editor.state.selection.from]).toEqual([element, 3]);
    region.editor.commands.setTextSelection({ from: 6, to: 12 });
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    const { from, to } = region.editor.state.selection;
    expect(region.editor.state.doc.textBetween(from, to)).toBe('things');
    region.close();
  });

  it('has the cursor at once behind its last word, where a block was put in', () => {
    const { element, region } = start('<p>Good things</p>');
    region.focusAt('end');
    expect([document.activeElement, region.editor.state.selection.from]).toEqual([element, 12]);
    region.close();
  });

  it('keeps a button one while its words are written anew', () => {
    const { element, region } = start('<p><a class="btn" href="/a">Go there</a> <a class="btn" href="/b">Stay</a></p>');
    region.editor.view.posAtCoords = () => ({ pos: 3, inside: 0 });
    element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail: 3 }));
    const { from, to } = region.editor.state.selection;
    expect(region.editor.state.doc.textBetween(from, to)).toBe('Go there');
    region.editor.view.dispatch(region.editor.state.tr.insertText('Come', from + 1, to).delete(from, from + 1));
    element.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true }));
    region.editor.view.dispatch(region.editor.state.tr.insertText('in'));
    expect(region.html).toContain('href="/a">Come in</a> <a');
    region.close();
  });

  it('is aligned by classes, once per choice', () => {
    const { region } = start('<p class="lead">One</p>');
    const { editor } = region;
    editor.commands.setTextSelection(2);
    align(editor, 'center');
    expect(editor.getHTML()).toBe('<p class="lead text-center">One</p>');
    expect(alignmentOf(editor)).toBe('center');
    align(editor, 'end');
    expect(editor.getHTML()).toBe('<p class="lead text-end">One</p>');
    align(editor, 'end');
    expect(editor.getHTML()).toBe('<p class="lead">One</p>');
    region.close();
  });
});
