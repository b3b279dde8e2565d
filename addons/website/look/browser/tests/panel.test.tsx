import { jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { serve } from '../../../editor/browser/tests/kit.ts';
import type { Look } from '../calls.ts';
import { LookPanel } from '../panel.tsx';

const swatch = { background: '#fbfaf6', surface: '#f0eee6', text: '#1d2521', primary: '#1f6b4a', strong: '#174f38' };
const palettes = ['Pergola', 'Sea'].map((label) => ({
  id: `website.${label.toLowerCase()}`,
  label,
  light: swatch,
  dark: swatch,
}));
const look: Look = {
  palette: 'website.pergola',
  own: null,
  fonts: 'website.warm',
  header: 'website.row',
  footer: 'website.columns',
  buttons: 'filled',
  corners: 'soft',
  density: 'normal',
};
const user = userEvent.setup();
const sheets: { css: string }[] = [];
const saved = jest.fn<(body: unknown) => true>(() => true);
const onSaved = jest.fn<() => void>();
const onClose = jest.fn();

/** jsdom has no constructable style sheets. */
class Sheet {
  css = '';
  replaceSync(css: string): void {
    this.css = css;
  }
}

beforeEach(async () => {
  document.head.innerHTML =
    '<style data-look>p { color: red }</style><style>@media (prefers-color-scheme: dark) { p { color: blue } }</style>';
  // jsdom doesn't set `ownerNode` either.
  Object.assign(keptSheet() ?? {}, { ownerNode: document.querySelector('style'), disabled: false });
  Object.assign(window, { CSSStyleSheet: Sheet });
  Object.assign(document, { adoptedStyleSheets: sheets });
  serve({
    '/website/look/open': ({ website }) => ({
      site: {
        id: website ?? 7,
        name: 'La Tonnelle',
        isHere: website === undefined,
        logo: null,
        logo_dark: null,
        favicon: null,
        favicon_dark: null,
      },
      look,
      panel: '@media (prefers-color-scheme: dark) {}/*panel*/',
      shipped: { ...look, corners: 'square' },
      palettes,
      fonts: [{ id: 'website.warm', label: 'Fraunces and Figtree' }],
      headers: [{ id: 'website.row', label: 'One row' }],
      footers: [{ id: 'website.columns', label: 'Columns' }],
    }),
    '/website/look/preview': ({ look: requested }) => ({
      css: `@media (prefers-color-scheme: dark) {}/*${(requested as Look).palette}*/`,
      faults: (requested as Look).own?.light.primary === '#eeeeee' ? { 'own.light.primary': 'Not readable' } : {},
    }),
    '/web/dataset/call_kw/website/write': saved,
  });
  render(<LookPanel onClose={onClose} onSaved={onSaved} />);
  await screen.findByRole('radio', { name: 'Sea' });
});
afterEach(() => {
  cleanup();
  jest.clearAllMocks();
});

const keptSheet = () => document.styleSheets[0];
const ownMedia = () => (document.styleSheets[1]?.cssRules[0] as CSSMediaRule | undefined)?.media.mediaText;
const css = () => (document.adoptedStyleSheets as unknown as { css: string }[]).map((adopted) => adopted.css).join();
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('the panel “Look”', () => {
  it('shows the page in what is chosen, in either scheme, and as it was when it is closed', async () => {
    expect(save().disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'Sea' }));
    await waitFor(() => expect(css()).toContain('website.sea'));
    expect(keptSheet()?.disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(css()).toContain('@media all');
    // The panel follows, in its own colours.
    expect(css()).toMatch(/@media all \{\}\/\*panel\*\//);
    expect(ownMedia()).toBe('all');
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    expect(css()).toContain('@media not all');
    expect(ownMedia()).toBe('not all');
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalled();
    cleanup();
    expect([css(), keptSheet()?.disabled, ownMedia()]).toEqual(['', false, '(prefers-color-scheme: dark)']);
  });

  it('begins own colours with the palette, says which cannot be read, and does not save these', async () => {
    await user.click(screen.getByRole('radio', { name: 'Custom colours' }));
    const [light] = screen.getAllByLabelText<HTMLInputElement>('Links and buttons');
    expect(light?.value).toBe('#1f6b4a');
    fireEvent.change(light as HTMLInputElement, { target: { value: '#eeeeee' } });
    await screen.findByText('Not readable');
    expect(light?.getAttribute('aria-invalid')).toBe('true');
    expect(save().disabled).toBe(true);
    fireEvent.change(light as HTMLInputElement, { target: { value: '#5a2ca0' } });
    await waitFor(() => expect(save().disabled).toBe(false));
    await user.click(save());
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const [{ args }] = saved.mock.calls[0] as [{ args: [number[], { look: Look }] }];
    expect([args[0], args[1].look.palette, args[1].look.own?.light.primary]).toEqual([[7], 'own', '#5a2ca0']);
  });

  it('goes back to the look that is shipped', async () => {
    await user.click(screen.getByRole('radio', { name: 'Custom colours' }));
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    const checked = screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map((radio) => radio.value);
    await user.click(save());
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const [{ args }] = saved.mock.calls[0] as [{ args: [number[], { look: Look }] }];
    expect([checked.includes('own'), args[1].look]).toEqual([false, { ...look, corners: 'square' }]);
  });

  it('forgets a picture that is removed, and goes on from where it was chosen', async () => {
    const input = screen.getByLabelText<HTMLInputElement>('Icon for dark backgrounds');
    await user.upload(input, new File(['x'], 'icon.png', { type: 'image/png' }));
    await user.click(await screen.findByRole('button', { name: 'Remove: Icon for dark backgrounds' }));
    expect([input.files?.length, document.activeElement]).toEqual([0, input]);
    await user.click(save());
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const [{ args }] = saved.mock.calls[0] as [{ args: [number[], { favicon_dark: unknown }] }];
    expect(args[1].favicon_dark).toBe(false);
  });

  it('says when the page is of another website', async () => {
    expect(screen.queryByText(/belongs to another website/)).toBeNull();
    cleanup();
    render(<LookPanel website={9} onClose={onClose} onSaved={onSaved} />);
    await screen.findByText(/belongs to another website/);
    await user.click(screen.getByRole('radio', { name: 'Fully rounded' }));
    await user.click(save());
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.objectContaining({ id: 9, isHere: false }), false));
    expect(saved).toHaveBeenCalledWith(expect.objectContaining({ args: [[9], expect.anything()] }));
  });

  it('says why it was not saved', async () => {
    saved.mockImplementationOnce(() => {
      throw new Error('no');
    });
    await user.click(screen.getByRole('radio', { name: 'Fully rounded' }));
    await user.click(save());
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(onSaved).not.toHaveBeenCalled();
  });
});
