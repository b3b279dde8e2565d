import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { pictureAttributes } from './media.ts';
import type { Part } from './options.ts';
import type { RegionEditor } from './rich/region-editor.ts';
import type { SessionView } from './session.ts';
import type { Chosen } from './ui/media-dialog.tsx';

/** Selected image, in a text or as part of a block. */
export interface PictureHandle extends Part {
  readonly element: HTMLImageElement;
  /** Target of its link, or null. */
  readonly link: string | null;
  replace(chosen: Chosen): void;
  setLink(href: string | null): void;
  remove(): void;
}

/** Selected image of the page, if any. */
export function chosenPicture({ region, picture }: Pick<SessionView, 'region' | 'picture'>): PictureHandle | null {
  return pictureInText(region) ?? (picture ? pictureInBlock(picture) : null);
}

function pictureInText(region: RegionEditor | null): PictureHandle | null {
  const editor = region?.editor;
  const selection = editor?.state.selection;
  if (!editor || !(selection instanceof NodeSelection) || selection.node.type.name !== 'image') return null;
  const { attrs } = selection.node;
  const keptAttributes = (attrs.kept ?? {}) as Readonly<Record<string, string>>;
  const change = (attributes: object): void => {
    editor.chain().updateAttributes('image', attributes).setNodeSelection(selection.from).run();
  };
  // Proxy element: the text editor owns the real image.
  const element = document.createElement('img');
  for (const [name, value] of Object.entries({ ...keptAttributes, src: attrs.src, alt: attrs.alt ?? '' }))
    element.setAttribute(name, String(value));
  const link: unknown = selection.node.marks.find(({ type }) => type.name === 'link')?.attrs.href;
  return {
    key: 'picture',
    kind: 'picture',
    element,
    link: typeof link === 'string' ? link : null,
    change: (edit) => {
      edit(element);
      const { src: _src, alt, ...rest } = attributesOf(element);
      change({ alt, kept: rest });
    },
    replace: (media) => change(imageNode(media, keptAttributes)),
    setLink: (href) => {
      // Selects the whole link, including words next to the image.
      const chain = editor.chain().setNodeSelection(selection.from).extendMarkRange('link');
      (href === null ? chain.unsetLink() : chain.setLink({ href })).setNodeSelection(selection.from).run();
    },
    remove: () => editor.chain().focus().deleteSelection().run(),
  };
}

function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
}

function pictureInBlock({ field, element }: NonNullable<SessionView['picture']>): PictureHandle {
  const parentLink = element.closest('a');
  return {
    key: 'picture',
    kind: 'picture',
    element,
    link: parentLink?.getAttribute('href') ?? null,
    change: (edit) => field.restructure(() => edit(element)),
    replace: (media) =>
      field.restructure(() => {
        showPicture(element, media);
        // In galleries an image links to its own file.
        if (
          parentLink &&
          /\.(png|jpe?g|gif|webp|avif)$|\/website\/image\//i.test(parentLink.getAttribute('href') ?? '')
        )
          parentLink.href = media.website_url;
      }),
    setLink: (href) =>
      field.restructure(() => {
        if (parentLink && href !== null) parentLink.setAttribute('href', href);
        else if (parentLink) parentLink.replaceWith(...parentLink.childNodes);
        else if (href !== null) {
          const newLink = document.createElement('a');
          newLink.setAttribute('href', href);
          element.replaceWith(newLink);
          newLink.append(element);
        }
      }),
    remove: () => field.restructure(() => (element.closest('figure') ?? element).remove()),
  };
}

/** Replaces an image of a block. */
function showPicture(element: HTMLImageElement, media: Chosen): void {
  for (const name of ['srcset', 'sizes', 'width', 'height']) element.removeAttribute(name);
  for (const [name, value] of Object.entries(pictureAttributes(media))) element.setAttribute(name, value);
}

/** Inserts an image at the cursor. */
export function insertPicture(editor: Editor, media: Chosen): void {
  editor
    .chain()
    .focus()
    .insertContent({ type: 'image', attrs: imageNode(media, {}) })
    .run();
}

function imageNode(media: Chosen, attributes: Readonly<Record<string, string>>): Record<string, unknown> {
  const { src, alt, width, height, ...more } = pictureAttributes(media);
  const { srcset: _set, sizes: _sizes, ...rest } = attributes;
  return { src, alt, width: width ?? null, height: height ?? null, kept: { loading: 'lazy', ...rest, ...more } };
}
