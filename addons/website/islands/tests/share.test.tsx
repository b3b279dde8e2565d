/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import Share from '../share.tsx';

const open = jest.spyOn(window, 'open').mockReturnValue(null);
beforeEach(() => {
  open.mockClear();
  render(<Share address="https://site.example/a?b=1" title="Bread & butter" />);
});
afterEach(cleanup);
const link = (name: string): HTMLAnchorElement => screen.getByRole('link', { name });

describe('Sharing', () => {
  it('opens a window of 600 × 550 with the page in the address', () => {
    expect(fireEvent.click(link('Share on X'))).toBe(false);
    expect(open).toHaveBeenCalledWith(
      'https://x.com/intent/post?url=https%3A%2F%2Fsite.example%2Fa%3Fb%3D1&text=Bread%20%26%20butter',
      '_blank',
      'noopener,popup,width=600,height=550',
    );
  });

  it('leaves links alone that are opened in another tab, and mail to the mail program', () => {
    expect(fireEvent.click(link('Share on X'), { ctrlKey: true })).toBe(true);
    expect(fireEvent.click(link('Share by email'))).toBe(true);
    expect(link('Share by email').href).toBe(
      'mailto:?subject=Bread%20%26%20butter&body=https%3A%2F%2Fsite.example%2Fa%3Fb%3D1',
    );
    expect(open).not.toHaveBeenCalled();
  });

  it('puts the address on the clipboard, and says so when it cannot', async () => {
    const writeText = jest.fn<(text: string) => Promise<void>>().mockResolvedValueOnce();
    Object.assign(navigator, { clipboard: { writeText } });
    fireEvent.click(link('Copy link'));
    await waitFor(() => expect(document.querySelector('.toast-note')?.textContent).toBe('Link copied.'));
    expect(writeText).toHaveBeenCalledWith('https://site.example/a?b=1');
    writeText.mockRejectedValueOnce(new Error('no'));
    fireEvent.click(link('Copy link'));
    await waitFor(() =>
      expect(document.querySelector('.toast-note[role=alert]')?.textContent).toBe('Couldn’t copy the link.'),
    );
  });
});
