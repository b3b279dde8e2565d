import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Editor } from '@tiptap/core';
import richText from '../../../behaviours/rich-text.ts';
import { enhanceTextArea } from '../enhance.tsx';
import RichText, { type RichTextProps } from '../rich-text.tsx';
import { fillGaps, InSight, serve } from './kit.ts';

beforeAll(fillGaps);
afterEach(cleanup);
const user = userEvent.setup();

function start(props: Partial<RichTextProps> = {}): Editor {
  render(<RichText value="<p>Hello</p>" label="Answer" name="content" {...props} />);
  return (screen.getByRole('textbox', { name: 'Answer' }) as HTMLElement & { editor: Editor }).editor;
}
const field = () => document.querySelector<HTMLTextAreaElement>('textarea[name=content]');

describe('the rich-text editor of forms', () => {
  it('goes with its form under its name, and tells of changes', async () => {
    const onChange = jest.fn();
    const editor = start({ onChange });
    expect(field()?.value).toBe('<p>Hello</p>');
    act(() => void editor.commands.insertContentAt(6, ' you'));
    expect(onChange).toHaveBeenLastCalledWith('<p>Hello you</p>');
    expect(field()?.value).toBe('<p>Hello you</p>');
    act(() => void editor.commands.clearContent(true));
    expect(field()?.value).toBe('');
  });

  it('has tools that are reached and walked by keyboard, and show what is on', async () => {
    const editor = start();
    act(() => void editor.commands.selectAll());
    const bold = screen.getByRole('button', { name: 'Bold' });
    await user.click(bold);
    expect(editor.getHTML()).toBe('<p><strong>Hello</strong></p>');
    await waitFor(() => expect(bold.getAttribute('aria-pressed')).toBe('true'));
    // The editor restores the focus on the next frame.
    await new Promise((resolve) => requestAnimationFrame(resolve));
    act(() => bold.focus());
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Italic');
    expect(screen.queryByRole('button', { name: 'Left' })).toBeNull();
  });

  it('changes the kind of the paragraph', async () => {
    const editor = start();
    await user.selectOptions(screen.getByLabelText('Paragraph style'), 'h2');
    expect(editor.getHTML()).toBe('<h2>Hello</h2>');
    await user.selectOptions(screen.getByLabelText('Paragraph style'), 'quote');
    expect(editor.getHTML()).toBe('<blockquote><p>Hello</p></blockquote>');
    await user.selectOptions(screen.getByLabelText('Paragraph style'), 'p');
    expect(editor.getHTML()).toBe('<p>Hello</p>');
  });

  it('asks before a tool that somebody may be kept from', async () => {
    const mayUse = jest.fn((_tool: string) => false);
    start({ mayUse });
    await user.click(screen.getByRole('button', { name: 'Link' }));
    await user.click(screen.getByRole('button', { name: 'Image' }));
    expect(mayUse.mock.calls.map(([tool]) => tool)).toEqual(['link', 'image']);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it.each([
    [false, true],
    [true, false],
  ])('asks before a link goes, whatever takes it out: may %s, stays %s', async (may, stays) => {
    const mayUse = jest.fn((_tool: string) => may);
    const editor = start({ mayUse, value: '<p><a href="https://example.org">Hello</a> there</p>' });
    editor.commands.selectAll();
    await user.click(screen.getByRole('button', { name: 'Bold' }));
    expect(mayUse).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Clear formatting' }));
    expect(mayUse.mock.calls).toEqual([['unlink']]);
    expect(editor.getHTML().includes('<a ')).toBe(stays);
  });

  it('takes pictures where its page wants them', async () => {
    const upload = jest.fn(async (_file: File) => ({
      id: 1,
      website_url: '/forum/picture/1',
      name: 'p.png',
      width: 4,
      height: 3,
    }));
    const editor = start({ upload });
    await user.click(screen.getByRole('button', { name: 'Image' }));
    await user.click(screen.getByRole('button', { name: 'Insert', hidden: true }));
    expect(screen.getByText('You must enter a Image URL to insert')).toBeDefined();
    await user.upload(screen.getByLabelText('Images to upload'), new File(['x'], 'p.png', { type: 'image/png' }));
    await waitFor(() =>
      expect(editor.getHTML()).toContain('<img src="/forum/picture/1" alt="p" width="4" height="3">'),
    );
  });
});

describe('a text area with data-rich-text', () => {
  it('leaves addresses as text for those who may not link, and says so once', () => {
    const mayUse = jest.fn((tool: string) => tool !== 'link');
    const editor = start({ mayUse, value: '<p>See <a href="https://old.example">this</a></p>' });
    const end = (): number => editor.state.doc.content.size - 1;
    const paste = (html: string): void => act(() => void editor.commands.insertContentAt(end(), html));
    paste(' and <a href="https://new.example">that</a>');
    expect(editor.getHTML()).toBe('<p>See <a href="https://old.example">this</a> and that</p>');
    for (const input of [' https://typed.example', ' ', 'www.typed.example', ' ']) {
      act(() => editor.view.dispatch(editor.state.tr.insertText(input, end())));
    }
    expect(editor.getHTML()).toContain('and that https://typed.example www.typed.example');
    expect(mayUse.mock.calls.filter(([tool]) => tool === 'link')).toHaveLength(1);
  });

  it('keeps its place in the form: name, label, value', async () => {
    serve({});
    document.body.innerHTML =
      '<form><label for="c">Comment</label><textarea id="c" name="c" data-rich-text required placeholder="Say it">Old</textarea></form>';
    const area = document.querySelector('textarea') as HTMLTextAreaElement;
    let end = () => {};
    act(() => {
      end = enhanceTextArea(area);
    });
    const box = (await screen.findByRole('textbox', { name: 'Comment' })) as HTMLElement & { editor: Editor };
    expect(area.hidden).toBe(true);
    const onInput = jest.fn();
    area.addEventListener('input', onInput);
    act(() => void box.editor.commands.setContent('<p>New</p>', { emitUpdate: true }));
    expect(area.value).toBe('<p>New</p>');
    expect(onInput).toHaveBeenCalled();
    area.addEventListener('richtext:tool', (event) => event.preventDefault());
    await user.click(screen.getByRole('button', { name: 'Link' }));
    expect(document.querySelector('dialog')).toBeNull();
    act(() => end());
    expect(area.hidden).toBe(false);
    expect(area.required).toBe(true);
  });

  describe('that comes into sight', () => {
    let end: (() => void) | undefined;
    afterEach(() => act(() => end?.()));
    const area = (): HTMLTextAreaElement => screen.getByLabelText('Comment', { selector: 'textarea' });
    const show = (text = ''): void => {
      serve({});
      Object.assign(globalThis, { IntersectionObserver: InSight });
      document.body.innerHTML = `<form><label for="title">Title</label><input id="title"><label for="c">Comment</label><textarea id="c" data-rich-text>${text}</textarea></form>`;
      end = richText(area());
    };
    const isTakenOver = (): Promise<void> => waitFor(() => expect(area().hidden).toBe(true));
    const aWhile = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

    it('waits until somebody comes to its form, or a draft comes back; a text shows at once as it will read', async () => {
      show();
      await aWhile();
      expect(area().hidden).toBe(false);
      act(() => screen.getByLabelText('Title').focus());
      await isTakenOver();
      act(() => end?.());
      show();
      fireEvent.change(area(), { target: { value: '<p>Kept</p>' } });
      await isTakenOver();
      act(() => end?.());
      show('<p>Said</p>');
      await isTakenOver();
    });

    it('keeps whoever is in it, and leaves what they have typed as they typed it', async () => {
      show();
      act(() => area().focus());
      await isTakenOver();
      expect(document.activeElement?.getAttribute('contenteditable')).toBe('true');
      act(() => end?.());
      show();
      act(() => {
        area().focus();
        fireEvent.input(area(), { target: { value: 'One\ntwo' } });
      });
      await aWhile();
      expect(area()).toMatchObject({ hidden: false, value: 'One\ntwo' });
      expect(document.activeElement).toBe(area());
    });
  });
});
