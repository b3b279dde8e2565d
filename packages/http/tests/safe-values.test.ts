import { z } from 'zod';
import { formValues, lastOf, shownFields } from '../bodies/form-values.ts';
import { parseJson } from '../bodies/json-body.ts';
import { fillBlocks } from '../pages/fill-blocks.ts';
import { hasUndeclared, parseQuery, queryKey, readQuery } from '../routes/query.ts';
import { signText, timingSafeEqualText, verifyText } from '../security/crypto.ts';
import { safePath } from '../security/safe-path.ts';
import { parseTarget } from '../target.ts';

describe('safePath', () => {
  test.each([
    '/',
    '/shop?page=2&q=a%20b#top',
    '/fr/forum/aide-1',
    '/shop?next=%2F%2Fevil.example',
    '/tag/100%25',
    '/caf%C3%A9',
    '/a//b',
  ])('keeps %s', (path) => {
    expect(safePath(path)).toBe(path);
  });

  test.each([
    'https://evil.example/',
    'HTTP:/evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: a=b',
    '\u0000/shop',
    ' /shop',
    '/ /evil',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '@evil.example',
    '',
    '/%2f/evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%252f%252fevil.example',
    '/%25252fevil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:%20a=b',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/.//evil.example',
    '／／evil.example',
    '/%',
    '/%zz',
    null,
    undefined,
    7,
    ['/shop'],
    { toString: () => '/shop' },
  ])('turns %j into /', (path) => {
    expect(safePath(path)).toBe('/');
  });

  test('turns what is too long for a path into /', () => {
    expect(safePath(`/${'a'.repeat(5000)}`)).toBe('/');
  });

  test('whatever it answers stays on the origin, and is answered again the same', () => {
    const pieces = [
      '/',
      '\\',
      '%2f',
      '%5c',
      '%',
      '.',
      '..',
      '?',
      '#',
      '@',
      ':',
      'evil.example',
      '\t',
      'é',
      '／',
      '%25',
      '2f',
    ];
    let state = 7;
    const next = (): number => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state;
    };
    for (let n = 0; n < 3_000; n++) {
      const text = Array.from({ length: 1 + (next() % 7) }, () => pieces[next() % pieces.length]).join('');
      const path = safePath(`/${text}`);
      expect(new URL(path, 'https://ours.example').origin).toBe('https://ours.example');
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(safePath(path)).toBe(path);
    }
  });
});

test('a signature holds for its secret, purpose and text only', () => {
  const signature = signText('secret', 'mass.unsubscribe', '1:a@b');
  expect(signature).toMatch(/^[\w-]{43}$/);
  expect(verifyText('secret', 'mass.unsubscribe', '1:a@b', signature)).toBe(true);
  for (const wrong of [
    verifyText('other', 'mass.unsubscribe', '1:a@b', signature),
    verifyText('secret', 'mass.subscribe', '1:a@b', signature),
    verifyText('secret', 'mass.unsubscribe', '2:a@b', signature),
    verifyText('secret', 'mass.unsubscribe:1', 'a@b', signature),
    verifyText('secret', 'mass.unsubscribe', '1:a@b', ''),
    verifyText('secret', 'mass.unsubscribe', '1:a@b', null),
  ]) {
    expect(wrong).toBe(false);
  }
  expect(timingSafeEqualText('a', 'a')).toBe(true);
  expect(timingSafeEqualText('a', 'ab')).toBe(false);
});

describe('a request target', () => {
  const target = parseTarget;

  test('is a path and a query; an absolute one loses its host', () => {
    expect(target('/a/b?c=d?e')).toEqual({ path: '/a/b', query: 'c=d?e', parameters: { c: ['d?e'] }, file: '/a/b' });
    expect(target('http://host:80/a?b')).toMatchObject({ path: '/a', query: 'b' });
    expect(target('https://host')).toMatchObject({ path: '/' });
    expect(target('/caf%C3%A9')?.file).toBe('/café');
  });

  test.each(['*', '', 'a/b', '/a#b', '/%', '/%ff', '/a%00b', '/a%0ab', 'ftp://host/a'])('%j is none', (url) => {
    if (url === '') expect(target(url)?.path).toBe('/');
    else expect(target(url)).toBeNull();
  });

  test.each(['/web/static/../x', '/web/static/%2e%2e/x', '/a/..', '/a\\b', '/a%5cb', '/a//b', '/./a'])(
    '%s names no file',
    (url) => {
      expect(target(url)?.file ?? null).toBeNull();
    },
  );
});

describe('JSON', () => {
  const parse = (text: string | Buffer, depth = 64) => parseJson(Buffer.from(text), depth);

  test('keys that reach for prototypes are taken out, however they are written', () => {
    for (const text of [
      '{"__proto__":{"canary":1},"a":{"__proto__":{"canary":1}}}',
      '{"\\u005f_proto__":{"canary":1},"a":[{"\\u005f\\u005fproto\\u005f\\u005f":1}]}',
      '{"constructor":{"prototype":{"canary":1}}}',
    ]) {
      const value = parse(text) as Record<string, unknown>;
      expect(JSON.stringify(value)).not.toContain('canary');
      expect(Object.assign({}, value)).not.toHaveProperty('canary');
    }
    expect(parse('{"constructor":"Lego","a":"\\u00e9"}')).toEqual({ constructor: 'Lego', a: 'é' });
    expect(({} as Record<string, unknown>).canary).toBeUndefined();
  });

  test('depth is counted outside of texts', () => {
    expect(parse('[[["[[[[{{{{"]]]', 3)).toEqual([[['[[[[{{{{']]]);
    expect(() => parse('[[[[1]]]]', 3)).toThrow('nested too deeply');
    expect(parse('["\\"[[[[["]', 1)).toEqual(['"[[[[[']);
    expect(() => parse('['.repeat(2_000_000), 64)).toThrow('nested too deeply');
  });

  test.each(['', '{', 'a=b', '{"a":1,}', "{'a':1}", 'NaN', '{}x'])('%j is none', (text) => {
    expect(() => parse(text)).toThrow('isn’t valid JSON');
  });

  test('text that is no UTF-8 is refused', () => {
    expect(() => parse(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow('UTF-8');
  });

  test('of a key that is there twice the last value counts', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  });
});

describe('a query', () => {
  const schema = z.object({
    page: z.number().int().min(1).default(1),
    tags: z.array(z.string()).optional(),
    on: z.boolean().optional(),
    search: z.string().max(10).optional(),
  });

  test('is coerced as the schema wants it', () => {
    expect(readQuery(parseQuery('page=3&tags=a&tags=b&on=1&search=x&search=y&other=1'), schema)).toEqual({
      page: 3,
      tags: ['a', 'b'],
      on: true,
      search: 'y',
    });
    expect(readQuery(parseQuery('tags=a&page='), schema)).toEqual({ page: 1, tags: ['a'] });
    expect(readQuery(parseQuery('on=false'), schema)).toEqual({ page: 1, on: false });
  });

  test.each(['page=x', 'page=1.5', 'page=0', 'page=0x10', 'page=1e3', 'page=Infinity', 'search=12345678901'])(
    '%s does not fit',
    (query) => {
      expect(() => readQuery(parseQuery(query), schema)).toThrow('invalid value');
    },
  );

  test('names of JavaScript mean nothing in it', () => {
    const raw = parseQuery('__proto__=1&constructor=2&toString=3&hasOwnProperty=4');
    expect(readQuery(raw, schema)).toEqual({ page: 1 });
    expect(hasUndeclared(raw, schema)).toBe(true);
    expect(hasUndeclared(parseQuery('page=1'), schema)).toBe(false);
    expect(hasUndeclared(parseQuery('toString=1'), schema)).toBe(true);
  });

  test('equal values have equal keys, whatever their order', () => {
    expect(queryKey({ b: 1, a: [2] })).toBe(queryKey({ a: [2], b: 1 }));
    expect(queryKey({ a: 1 })).not.toBe(queryKey({ a: '1' }));
    expect(queryKey({ a: undefined })).toBe('');
  });

  test('parameters beyond two hundred are left out', () => {
    expect(Object.keys(parseQuery(Array.from({ length: 500 }, (_, n) => `a${n}=1`).join('&')))).toHaveLength(200);
  });
});

test('fields of a form are what the schema names: ticks and numbers coerced, an empty optional address none', () => {
  const schema = z.object({
    name: z.string().min(1),
    qty: z.number(),
    news: z.boolean().default(false),
    email: z.email().optional(),
    note: z.string().optional(),
    tags: z.array(z.string()),
    ids: z.union([z.number(), z.array(z.number())]).optional(),
  });
  const fields = {
    name: [''],
    qty: ['2'],
    news: ['on'],
    email: [''],
    note: [''],
    tags: ['a'],
    ids: ['1', '2'],
    evil: ['x'],
  };
  expect({ ...formValues(fields, schema) }).toEqual({
    name: '',
    qty: 2,
    news: true,
    email: undefined,
    note: '',
    tags: ['a'],
    ids: ['1', '2'],
  });
  expect({ ...formValues({ 'ticket-1': ['2'] }, z.object({}).catchall(z.coerce.number())) }).toEqual({
    'ticket-1': '2',
  });
});

test('what is shown again holds no password and no token', () => {
  const shown = shownFields({ name: ['a', 'b'], password: ['x'], csrf_token: ['y'], new_passwd: ['z'] });
  expect(shown).toEqual({ name: ['a', 'b'] });
  expect(lastOf(shown)).toEqual({ name: 'b' });
});

test('blocks are filled between their tags, with nested tags and broken options, and nothing else is touched', () => {
  const filled = fillBlocks(
    '<p>a</p><div data-block="x.y" data-options=\'{"n":1}\'><div>old</div></div><div><div data-block="z" data-options="{"></div></div>',
    (id, options) => `[${id} ${JSON.stringify(options)}]`,
  );
  expect(filled).toBe(
    '<p>a</p><div data-block="x.y" data-options=\'{"n":1}\'>[x.y {"n":1}]</div><div><div data-block="z" data-options="{">[z {}]</div></div>',
  );
});
