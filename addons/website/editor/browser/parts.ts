import type { Editor } from '@tiptap/core';
import type { PartKind } from '../../snippets/point.ts';
import { blockPath } from './dom/blocks.ts';
import type { Part } from './options.ts';
import { chosenPicture } from './pictures.ts';
import type { RegionEditor } from './rich/region-editor.ts';
import type { EditSession, SessionView } from './session.ts';

/** Selected parts, innermost first: the image, the link at the cursor, the block and its ancestors. */
export function chosenParts(session: EditSession, view: SessionView): Part[] {
  const picture = chosenPicture(view);
  const link = picture ? null : (linkInText(view.region) ?? linkOf(session, view));
  return [...(picture ? [picture] : []), ...(link ? [link] : []), ...blockParts(session, view)];
}

function blockParts(session: EditSession, { block, region }: SessionView): Part[] {
  if (!block) return [];
  const { field, element: selected } = block;
  const path = blockPath(field.root, selected).reverse();
  const table = region?.region.element.closest('table') ?? null;
  const elements = table && field.root.contains(table) && !path.includes(table) ? [table, ...path] : path;
  return elements.map((element, depth) => ({
    key: `block ${elements.length - depth}`,
    kind: kindOf(element, field.root),
    element,
    change: (edit) => {
      const cell = element === table ? region?.region.element : undefined;
      field.restructure(() => {
        edit(element);
        session.contents.fill(field.root);
      });
      session.selectBlock(field, selected);
      // Keeps the cell active for the next table action.
      if (cell?.isConnected) field.activate(cell);
    },
  }));
}

function kindOf(element: HTMLElement, root: HTMLElement): PartKind {
  if (element.localName === 'table') return 'table';
  if (element.parentElement === root) return 'section';
  return element.parentElement?.classList.contains('row') ? 'column' : 'block';
}

/** Link at the cursor, represented by an element with its classes and URL. */
function linkInText(region: RegionEditor | null): Part | null {
  const editor = region?.editor;
  if (!editor?.isActive('link')) return null;
  const { href, class: classes } = editor.getAttributes('link');
  const element = document.createElement('a');
  element.className = String(classes ?? '');
  element.setAttribute('href', String(href ?? ''));
  return {
    key: 'button',
    kind: 'button',
    element,
    change: (edit) => {
      edit(element);
      const attributes = { href: element.getAttribute('href'), class: element.className || null };
      editor.chain().extendMarkRange('link').updateAttributes('link', attributes).run();
    },
  };
}

/** Link whose words are a separate text of the page. */
function linkOf(session: EditSession, { region, block }: SessionView): Part | null {
  const element = region?.region.element;
  if (!block || element?.localName !== 'a') return null;
  return {
    key: 'button',
    kind: 'button',
    element,
    change: (edit) => {
      block.field.restructure(() => edit(element));
      session.selectBlock(block.field, block.element);
    },
  };
}

/** Video, map or music in the selected block, as a link to it; null unless there is exactly one, or if it is server-rendered. */
export function mediaPart(session: EditSession, { block }: SessionView): Part | null {
  const find = (): HTMLElement | null => {
    const [media, second] = block?.element.querySelectorAll<HTMLElement>('a.s_media') ?? [];
    return media && !second && !media.closest('[data-block]') ? media : null;
  };
  const element = find();
  if (!block || !element) return null;
  return {
    key: 'media',
    kind: 'button',
    element,
    change: (edit) => {
      block.field.restructure(() => {
        // The element is a new one if its words were edited.
        const media = find();
        if (media) edit(media);
      });
      session.selectBlock(block.field, block.element);
    },
  };
}

/** Selected words, or the style of words typed next. */
export function selectedText(editor: Editor): Part {
  const element = document.createElement('span');
  element.className = String(editor.getAttributes('look').class ?? '');
  return {
    key: 'text',
    kind: 'text',
    element,
    change: (edit) => {
      edit(element);
      const chain = editor.chain().focus();
      (element.className === '' ? chain.unsetMark('look') : chain.setMark('look', { class: element.className })).run();
    },
  };
}
