/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { userEvent } from '@testing-library/user-event';
import { submitHiddenForm } from '../browser/hidden-form.ts';
import { PromptClosed, prompt } from '../browser/prompt.ts';
import { find, mendDialogs, settle, show } from './dom-kit.ts';

beforeEach(() => {
  mendDialogs();
  show('<main></main>');
});

const field = <E extends HTMLElement = HTMLInputElement>(): E => find<E>('#prompt-field');

describe('A prompt', () => {
  it('asks for a text; Enter confirms', async () => {
    const answer = prompt({ title: 'New page', label: 'Title', value: 'Old' });
    expect(find('dialog h2').textContent).toBe('New page');
    expect(find<HTMLLabelElement>('dialog label').htmlFor).toBe(field().id);
    await userEvent.clear(field());
    await userEvent.type(field(), '  About us {Enter}');
    await expect(answer).resolves.toBe('About us');
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('asks for one of some choices; Enter confirms', async () => {
    const choices = [
      { value: 's', label: 'Small' },
      { value: 'l', label: 'Large' },
    ];
    const answer = prompt({ title: 'Size', label: 'Size', choices, value: 's' });
    const select = field<HTMLSelectElement>();
    expect([...select.options].map(({ label }) => label)).toEqual(['Small', 'Large']);
    await userEvent.selectOptions(select, 'Large');
    select.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await expect(answer).resolves.toBe('l');
  });

  it('confirms by its button', async () => {
    const answer = prompt({ title: 'Name', label: 'Name', value: 'Ada', confirm: 'Greet' });
    const button = find<HTMLButtonElement>('dialog button[type=submit]');
    expect(button.textContent).toBe('Greet');
    button.click();
    await expect(answer).resolves.toBe('Ada');
  });

  it.each([
    ['Cancel', () => find<HTMLButtonElement>('dialog button[type=button]').click()],
    ['Escape or the window’s own way', () => find<HTMLDialogElement>('dialog').close()],
    ['a click outside', () => find('dialog').click()],
  ])('rejects when it is closed by %s', async (_, close) => {
    const answer = prompt({ title: 'Name', label: 'Name' });
    close();
    await expect(answer).rejects.toBeInstanceOf(PromptClosed);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('takes an empty text for an answer only where it may', async () => {
    const asked = prompt({ title: 'Name', label: 'Name' });
    await userEvent.type(field(), '   {Enter}');
    await settle();
    expect(find<HTMLDialogElement>('dialog').open).toBe(true);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    find<HTMLDialogElement>('dialog').close();
    await expect(asked).rejects.toThrow();
    const optional = prompt({ title: 'Name', label: 'Name', optional: true });
    await userEvent.type(field(), '{Enter}');
    await expect(optional).resolves.toBe('');
  });
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
