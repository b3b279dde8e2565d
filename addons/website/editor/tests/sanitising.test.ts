import { Parser } from 'htmlparser2';
import { createTestApp, type TestApp } from 'pergola/testing';
import type { OpenElement } from '../open.ts';
import { Piece } from './fixtures/fx_pieces/addon.ts';
import { roots } from './fixtures/roots.ts';
import { vectors } from './vectors.ts';

const forbidden = new Set(
  'script style iframe frame frameset object embed applet base link meta svg math form input button select option textarea template noscript xmp title plaintext marquee body html head'.split(
    ' ',
  ),
);

/** Browsers ignore whitespace and control characters before the scheme. */
function hasBadScheme(address: string): boolean {
  const scheme = /^([a-z][\w+.-]*):/i.exec(address.replace(/[\p{Cc}\s]/gu, ''))?.[1];
  return scheme !== undefined && !/^(https?|mailto|tel)$/i.test(scheme);
}

/** Harmful parts of HTML. */
function faultsIn(html: string): string[] {
  const faults: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (forbidden.has(name)) faults.push(`<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^(srcdoc|formaction|action|ping|autofocus|http-equiv|contenteditable|data-oe-.*)$/.test(attribute))
          faults.push(`${name}[${attribute}]`);
        // Named elements shadow document properties, except details, which a rendered block can have.
        if (attribute === 'name' && name !== 'details') faults.push(`${name}[name]`);
        if (/^(href|src|srcset|cite|poster)$/.test(attribute) && hasBadScheme(value))
          faults.push(`${name}[${attribute}=${value}]`);
        if (attribute === 'style' && /url|expression|behavior|position|javascript/i.test(value))
          faults.push(`${name}[style=${value}]`);
        if (attribute === 'rel' && /(^|\s)opener/.test(value) && !value.includes('noopener'))
          faults.push(`${name}[rel=${value}]`);
        if (attribute === 'id' && (value in Object.prototype || value === '__proto__'))
          faults.push(`${name}[id=${value}]`);
      }
    },
    oncomment: () => faults.push('comment'),
    oncdatastart: () => faults.push('cdata'),
    onprocessinginstruction: () => faults.push('instruction'),
  });
  parser.write(html);
  parser.end();
  return faults;
}

describe('HTML saved by the editor', () => {
  let app: TestApp;
  let editor: Pick<TestApp, 'rpc'>;
  let id: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_pieces'], roots, demo: true });
    editor = await app.as('editor');
    id = await app.write((ctx) => ctx.model(Piece).create({ name: 'Target' }));
  });
  afterAll(() => app?.close());

  const save = async (field: string, value: string) => {
    const ref = { model: 'fx_pieces.piece', id, field };
    const { elements } = await editor.rpc<{ elements: OpenElement[] }>('/website/editor/open', {
      lang: 'en_US',
      elements: [ref],
    });
    const [open] = elements;
    await editor.rpc('/website/editor/save', {
      lang: 'en_US',
      elements: [{ ...ref, revision: open?.revision, value }],
    });
    return String(
      (await app.read(
        async (ctx) => (await ctx.model(Piece).get(id, { select: { story: true, comment: true } }))[field as 'story'],
      )) ?? '',
    );
  };

  it('is tried with vectors that would do harm', () => {
    // Some vectors only become harmful after a part is removed.
    expect(vectors.filter((html) => faultsIn(html).length > 0).length).toBeGreaterThanOrEqual(75);
  });

  it.each(vectors.map((vector) => [vector.slice(0, 90), vector]))('does no harm: %s', async (_name, vector) => {
    for (const field of ['story', 'comment']) {
      const stored = await save(field, `<p>before</p>${vector}<p>after</p>`);
      expect(faultsIn(stored)).toEqual([]);
      expect(stored).toContain('before');
    }
    const { text } = await app.get(`/fx_pieces/target-${id}`);
    const rendered = text.slice(text.indexOf('id="story"'), text.indexOf('</main>'));
    expect(faultsIn(rendered)).toEqual([]);
  });

  it('as plain text is only ever text', async () => {
    const ref = { model: 'fx_pieces.piece', id, field: 'name' };
    const { elements } = await editor.rpc<{ elements: OpenElement[] }>('/website/editor/open', {
      lang: 'en_US',
      elements: [ref],
    });
    const value = '<img src=x onerror=alert(1)>';
    await editor.rpc('/website/editor/save', {
      lang: 'en_US',
      elements: [{ ...ref, revision: elements[0]?.revision, value }],
    });
    const { text } = await app.get(`/fx_pieces/${id}`, { redirect: 'follow' });
    expect(text).toContain('&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;');
    expect(text).not.toContain(value);
  });

  it('keeps of the options of parts those that there are', async () => {
    const input =
      '<section class="s_title o-ground-main o-evil" data-opt-after="5" data-opt-src="javascript:alert(1)"><details name="tabs"><summary>A</summary></details><details name="con tains"><summary>B</summary></details></section>';
    expect(await save('story', input)).toBe(
      '<section class="s_title o-ground-main" data-opt-after="5"><details name="tabs"><summary>A</summary></details><details><summary>B</summary></details></section>',
    );
  });

  it('keeps what is harmless as it is', async () => {
    const harmless =
      '<section class="s_banner py-5" data-name="website.banner"><div class="container"><h2 id="top" class="text-center">Hello</h2><p style="color:#1f6b4a">A <a href="/contactus" class="btn btn-primary">link</a> and <img src="/x.png" alt="x" width="3" height="2" loading="lazy" /></p></div></section>';
    expect(await save('story', harmless)).toBe(harmless);
  });
});
