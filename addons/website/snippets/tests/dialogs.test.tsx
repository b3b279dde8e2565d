/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { show } from '../../islands/tests/dom-kit.ts';
import { submitHiddenForm } from '../browser/hidden-form.ts';

beforeEach(() => {
  show('<main></main>');
});

describe('A hidden form', () => {
  let sent: HTMLFormElement | null = null;
  beforeEach(() => {
    sent = null;
    HTMLFormElement.prototype.submit = function submit(this: HTMLFormElement): void {
      sent = this.cloneNode(true) as HTMLFormElement;
    };
  });
  const inputs = (): [string, string][] =>
    Array.from(sent?.querySelectorAll('input') ?? [], ({ name, value }) => [name, value]);

  it('sends its values to a path of the site, with the method and target asked for', () => {
    submitHiddenForm({
      action: '/report',
      method: 'get',
      target: '_blank',
      params: { id: 3, tag: ['a', 'b'], submit: 'x' },
    });
    expect(sent).toMatchObject({ method: 'get', target: '_blank' });
    expect(new URL((sent as unknown as HTMLFormElement).action).pathname).toBe('/report');
    expect(inputs()).toEqual([
      ['id', '3'],
      ['tag', 'a'],
      ['tag', 'b'],
      ['submit', 'x'],
    ]);
    expect(document.querySelector('form')).toBeNull();
  });

  it('carries the token of the page when it posts', () => {
    show('<form id="page"><input type="hidden" name="csrf_token" value="secret"></form>');
    submitHiddenForm({ action: '/report', params: { id: 3 } });
    expect(inputs()).toEqual([
      ['csrf_token', 'secret'],
      ['id', '3'],
    ]);
    submitHiddenForm({ action: '/report', method: 'get' });
    expect(inputs()).toEqual([]);
  });

  it.each(['https://evil.example/take', '//evil.example/take', 'javascript:alert(1)'])(
    'is never sent to %s',
    (action) => {
      const submit = jest.spyOn(HTMLFormElement.prototype, 'submit');
      expect(() => submitHiddenForm({ action, params: { secret: 1 } })).toThrow('only sent to this site');
      expect(submit).not.toHaveBeenCalled();
    },
  );
});
