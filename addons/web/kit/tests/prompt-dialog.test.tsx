/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { PromptDialog } from '../prompt-dialog.tsx';

// Dialog methods missing in jsdom.
beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function showModal(): void {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(): void {
    this.open = false;
  };
});
afterEach(cleanup);

function ask(about: Partial<Parameters<typeof PromptDialog>[0]> = {}) {
  const answered = jest.fn<(value: string) => void>();
  const closed = jest.fn();
  render(<PromptDialog title="New page" label="Title" onAnswer={answered} onClose={closed} {...about} />);
  return { answered, closed, dialog: screen.getByRole('dialog', { name: 'New page' }) };
}
const choices = [
  { value: 's', label: 'Small' },
  { value: 'l', label: 'Large' },
];

describe('A prompt', () => {
  it('asks for a text; Enter confirms', async () => {
    const { answered } = ask({ value: 'Old' });
    const field = screen.getByRole('textbox', { name: 'Title' });
    expect(document.activeElement).toBe(field);
    await userEvent.clear(field);
    await userEvent.type(field, '  About us {Enter}');
    expect(answered).toHaveBeenCalledWith('About us');
  });

  it('asks for one of some choices; Enter confirms', async () => {
    const { answered } = ask({ choices, value: 's' });
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Small', 'Large']);
    await userEvent.selectOptions(screen.getByRole('combobox'), 'Large');
    fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
    expect(answered).toHaveBeenCalledWith('l');
  });

  it('confirms by its button', async () => {
    const { answered } = ask({ value: 'Ada', confirm: 'Greet' });
    await userEvent.click(screen.getByRole('button', { name: 'Greet' }));
    expect(answered).toHaveBeenCalledWith('Ada');
  });

  it.each([
    ['Cancel', () => fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
    ['Escape', () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
    ['a click outside', () => fireEvent.click(screen.getByRole('dialog'))],
  ])('is closed without an answer by %s', (_, close) => {
    const { answered, closed } = ask();
    close();
    expect([closed.mock.calls.length, answered.mock.calls.length]).toEqual([1, 0]);
  });

  it('takes an empty text for an answer only where it may', async () => {
    const { answered } = ask();
    await userEvent.type(screen.getByRole('textbox'), '   {Enter}');
    expect(answered).not.toHaveBeenCalled();
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
    cleanup();
    const free = ask({ optional: true });
    await userEvent.type(screen.getByRole('textbox'), '{Enter}');
    expect(free.answered).toHaveBeenCalledWith('');
  });
});
