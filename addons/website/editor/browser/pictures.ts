import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { chooseClass } from './dom/blocks.ts';
import { pictureAttributes } from './media.ts';
import type { RegionEditor } from './rich/region-editor.ts';
import type { SessionView } from './session.ts';
import type { Chosen } from './ui/media-dialog.tsx';

/** A chosen picture, wherever it stands: in a text, or as a part of a block. */
export interface PictureHandle {
  readonly src: string;
  readonly alt: string;
  readonly classes: string;
  replace(chosen: Chosen): void;
  setAlt(alt: string): void;
  setClass(group: readonly string[], choice: string): void;
  remove(): void;
}

/** The picture that is chosen in the page, if one is. */
export function chosenPicture({ region, picture }: Pick<SessionView, 'region' | 'picture'>): PictureHandle | null {
  return pictureInText(region) ?? (picture ? pictureInBlock(picture) : null);
}

function pictureInText(region: RegionEditor | null): PictureHandle | null {
  const editor = region?.editor;
  const selection = editor?.state.selection;
  if (!editor || !(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return null;
  const { attrs } = selection.node;
  const kept = (attrs.kept ?? {}) as Readonly<Record<string, string>>;
  const change = (attributes: object): void => {
    editor.chain().updateAttributes('image', attributes).setNodeSelection(selection.from).run();
  };
  return {
    src: String(attrs.src),
    alt: String(attrs.alt ?? ''),
    classes: kept.class ?? '',
    replace: (chosen) => change(imageNode(chosen, kept)),
    setAlt: (alt) => change({ alt }),
    setClass: (group, choice) => change({ kept: withClass(kept, group, choice) }),
    remove: () => editor.chain().focus().deleteSelection().run(),
  };
}

function pictureInBlock({ field, element }: NonNullable<SessionView['picture']>): PictureHandle {
  return {
    // Not `currentSrc`: until a picture that was just exchanged is there, that is the one before.
    src: element.src,
    alt: element.alt,
    classes: element.className,
    replace: (chosen) =>
      field.restructure(() => {
        for (const name of ['srcset', 'sizes', 'width', 'height']) element.removeAttribute(name);
        const { alt, ...rest } = pictureAttributes(chosen);
        for (const [name, value] of Object.entries(rest)) element.setAttribute(name, value);
        element.setAttribute('alt', alt ?? '');
        // In galleries the picture leads to itself.
        const link = element.closest('a');
        if (link && /\.(png|jpe?g|gif|webp|avif)$|\/website\/image\//i.test(link.getAttribute('href') ?? ''))
          link.href = chosen.website_url;
      }),
    setAlt: (alt) => field.restructure(() => element.setAttribute('alt', alt)),
    setClass: (group, choice) => field.restructure(() => chooseClass(element, group, choice)),
    remove: () => field.restructure(() => (element.closest('figure') ?? element).remove()),
  };
}

/** Puts a picture at the cursor. */
export function insertPicture(editor: Editor, chosen: Chosen): void {
  editor
    .chain()
    .focus()
    .insertContent({ type: 'image', attrs: imageNode(chosen, {}) })
    .run();
}

function imageNode(chosen: Chosen, kept: Readonly<Record<string, string>>): Record<string, unknown> {
  const { src, alt, width, height, ...more } = pictureAttributes(chosen);
  const { srcset: _set, sizes: _sizes, ...rest } = kept;
  return { src, alt, width: width ?? null, height: height ?? null, kept: { loading: 'lazy', ...rest, ...more } };
}

function withClass(kept: Readonly<Record<string, string>>, group: readonly string[], choice: string) {
  const holder = document.createElement('img');
  holder.className = kept.class ?? '';
  chooseClass(holder, group, choice);
  const { class: _, ...rest } = kept;
  return holder.className === '' ? rest : { ...rest, class: holder.className };
}
