import { describe, expect, test } from '@jest/globals';
import { type RefusedForm, refillForm } from '../pages/refill-form.ts';

const refused = (about: Partial<RefusedForm> & { sent: RefusedForm['sent'] }): RefusedForm => ({
  isAction: (action) => action === '/save',
  visible: about.sent,
  errors: {},
  message: 'Please correct the marked fields.',
  ...about,
});
const form = (fields: string): string => `<body><form method="post" action="/save">${fields}</form></body>`;

describe('a refused form', () => {
  test.each([
    [
      'a text',
      '<input name="a" value="old">',
      { a: ['<new> & "quoted"'] },
      'value="&lt;new&gt; &amp; &quot;quoted&quot;"',
    ],
    [
      'a tag with > in it',
      '<input title="a > b" name="a">',
      { a: ['x'] },
      '<input title="a &gt; b" name="a" value="x">',
    ],
    [
      'lines',
      '<textarea name="a">old</textarea>',
      { a: ['\none\n</textarea>'] },
      '<textarea name="a">\n\none\n&lt;/textarea&gt;</textarea>',
    ],
    [
      'a choice',
      '<select name="a"><option value="1" selected>One<option value="2">Two</select>',
      { a: ['2'] },
      '<option value="1">One<option value="2" selected="">',
    ],
    [
      'a choice by its text',
      '<select name="a"><option>One</option><option>Two</option></select>',
      { a: ['Two'] },
      '<option selected="">Two',
    ],
    [
      'a box that was ticked',
      '<input type="checkbox" name="a" value="1"><input type="checkbox" name="a" value="2">',
      { a: ['2'] },
      '<input type="checkbox" name="a" value="1"><input type="checkbox" name="a" value="2" checked="">',
    ],
    ['a box that was cleared', '<input type="checkbox" name="a" checked>', {}, '<input type="checkbox" name="a">'],
    [
      'a code',
      '<input name="a" autocomplete="one-time-code">',
      { a: ['123456'] },
      '<input name="a" autocomplete="one-time-code">',
    ],
    [
      'the number of a card',
      '<input name="a" autocomplete="section-x cc-number">',
      { a: ['4111'] },
      'cc-number"></form>',
    ],
    [
      'one of several',
      '<input type="radio" name="a" value="x" checked><input type="radio" name="a" value="y">',
      { a: ['y'] },
      'name="a" value="y" checked=""',
    ],
    [
      'several of one name',
      '<input name="a"><input name="a">',
      { a: ['1', '2'] },
      '<input name="a" value="1"><input name="a" value="2">',
    ],
    [
      'a field outside of the form',
      '</form><input form="f" name="a">',
      { a: ['x'] },
      '<input form="f" name="a" value="x">',
    ],
  ])('keeps %s', (_, fields, sent, expected) => {
    const page = form(fields).replace('<form ', '<form id="f" ');
    expect(refillForm(page, refused({ sent: sent as RefusedForm['sent'] }))).toContain(expected);
  });

  test.each(['password', 'hidden', 'submit'])('leaves a %s field alone', (type) => {
    const field = `<input type="${type}" name="a" value="own">`;
    expect(refillForm(form(field), refused({ sent: { a: ['x'] } }))).toContain(field);
  });

  test('has each error after its field, and the others above it', () => {
    const page = form('<label>Name <input id="n" name="name"></label><input name="age">');
    const errors = { name: 'Enter a <name>.', other: 'This is gone.' };
    const again = refillForm(page, refused({ sent: { name: [''] }, errors })) ?? '';
    expect(again).toMatch(/role="alert"[^>]*>Please correct.*role="alert"[^>]*>This is gone\.<\/p><form/s);
    expect(again).toMatch(
      /<input id="n"[^>]*aria-invalid="true" aria-describedby="n-refused" autofocus[^>]*><\/label><p class="[^"]*" id="n-refused"[^>]*>Enter a &lt;name&gt;\.<\/p>/,
    );
    expect(again).toContain('<input name="age">');
  });

  test('has the text of a constraint only at its fields', () => {
    const page = form('<input name="name"><input name="age">');
    const text = 'There is one already.';
    const again = refillForm(page, refused({ sent: { name: ['a'] }, errors: { name: text }, message: text })) ?? '';
    expect(again.split(text)).toHaveLength(2);
    expect(again).not.toContain('role="alert"');
    const ofPair = { name: text, other: text };
    const both = refillForm(page, refused({ sent: { name: ['a'] }, errors: ofPair, message: text })) ?? '';
    expect(both.split(text)).toHaveLength(2);
  });

  test('is the one with the same hidden values, and is unfolded', () => {
    const one = (id: number) =>
      `<details><form method="post" action="/save"><input type="hidden" name="id" value="${id}"><input name="name"></form></details>`;
    const again = refillForm(one(1) + one(2), refused({ sent: { id: ['2'], name: ['Desk'] } })) ?? '';
    expect(again).toContain(one(1));
    expect(again).toMatch(/<details open="">.*value="2"><input name="name" value="Desk">/s);
  });

  test.each([
    ['of another action', '<form method="post" action="/other"><input name="a"></form>'],
    ['that asks', '<form method="get" action="/save"><input name="a"></form>'],
  ])('is not taken for a form %s', (_, page) => {
    expect(refillForm(page, refused({ sent: { a: ['x'] } }))).toBeNull();
  });
});
