import { escapeMessageText, fill, messageFault, parseMessage } from '../message.ts';

test('a message is read into texts, values and pairs', () => {
  expect(parseMessage('Hi {name}, <a>sign <b>in</b></a> &lt;3 &#123;x&#125;')).toEqual([
    { type: 'text', text: 'Hi ' },
    { type: 'value', name: 'name' },
    { type: 'text', text: ', ' },
    {
      type: 'pair',
      name: 'a',
      children: [
        { type: 'text', text: 'sign ' },
        { type: 'pair', name: 'b', children: [{ type: 'text', text: 'in' }] },
      ],
    },
    { type: 'text', text: ' <3 {x}' },
  ]);
});

test.each(['a < b', '{x', '&nbsp; {{y}}', '&lt; &amp;lt;', '<b>', '}'])(
  'the text %s survives being escaped',
  (text) => {
    expect(parseMessage(escapeMessageText(text))).toEqual([{ type: 'text', text }]);
  },
);

test.each(['<a>x', 'x</a>', '<a><b>x</a></b>'])('%s is refused', (message) => {
  expect(() => parseMessage(message)).toThrow(SyntaxError);
});

describe('messageFault', () => {
  const source = 'Hello {name}, <a>read {title}</a><if> now</if><else> later</else>';

  test.each([
    'Bonjour {name}, <a>lisez {title}</a><if> maintenant</if><else> plus tard</else>',
    '<a>{title} lisez</a> {name}<if> a</if> <else> b</else>',
    '<if> a</if><else> b</else><a>{title}</a>{name}',
  ])('accepts "%s"', (translation) => {
    expect(messageFault(source, translation)).toBeUndefined();
  });

  test.each([
    ['Bonjour, <a>lisez {title}</a><if>a</if><else>b</else>', '{name} is missing'],
    ['{name} {name} <a>{title}</a><if>a</if><else>b</else>', '{name} is there too often'],
    ['{name} {nom} <a>{title}</a><if>a</if><else>b</else>', '{nom} is not in the source text'],
    ['{name} {title} <a>x</a><if>a</if><else>b</else>', '{title} belongs inside <a>'],
    ['<a>{name} {title}</a><if>a</if><else>b</else>', '{name} belongs outside every tag'],
    ['{name} <a>{title}</a><else>b</else><if>a</if>', '<else> has to follow <if> directly'],
    ['{name} <if>a</if> puis <else>b</else> <a>{title}</a>', '<else> has to follow <if> directly'],
    ['{name} <a>{title}</a><if>a</if>', '<else> is missing'],
    ['{name} <a>{title}</a><if>a</if><else>b</else><script>x</script>', '<script> is not in the source text'],
    ['{name} <a>{title}<if>a</if><else>b</else>', '<a> is not closed'],
  ])('refuses "%s": %s', (translation, fault) => {
    expect(messageFault(source, translation)).toBe(fault);
  });

  test('a plural form may leave the number unsaid, but adds nothing', () => {
    expect(messageFault('{n} answers', 'une réponse', true)).toBeUndefined();
    expect(messageFault('{n} answers', '{x} réponse', true)).toBe('{x} is not in the source text');
  });
});

describe('fill', () => {
  test('puts values in their places and leaves unknown names', () => {
    expect(fill('{a} and {b} and {c}', { a: 1, b: null })).toBe('1 and {b} and {c}');
  });

  test('does not reach for what every object has', () => {
    expect(fill('{constructor} {__proto__}', {})).toBe('{constructor} {__proto__}');
  });

  test('does not fill what a value brings', () => {
    expect(fill('{a}', { a: '{b}', b: 'x' })).toBe('{b}');
  });
});
