import type { Editor } from '@tiptap/core';
import { chooseClass, chosenClass } from '../dom/blocks.ts';

/** Classes of the alignments. */
const alignments = { start: 'text-start', center: 'text-center', end: 'text-end' } as const;
export type Alignment = keyof typeof alignments;
const classes = Object.values(alignments);

/** Alignment of the paragraph or heading at the cursor. */
export function alignmentOf(editor: Editor): Alignment | null {
  const attributes = (editor.getAttributes('heading').kept ?? editor.getAttributes('paragraph').kept) as Record<
    string,
    string
  > | null;
  const holder = document.createElement('p');
  holder.className = attributes?.class ?? '';
  const className = chosenClass(holder, classes);
  return (Object.keys(alignments) as Alignment[]).find((name) => alignments[name] === className) ?? null;
}

/** Aligns all selected paragraphs and headings; choosing the current alignment removes it. */
export function align(editor: Editor, alignment: Alignment): void {
  const className = alignmentOf(editor) === alignment ? '' : alignments[alignment];
  editor
    .chain()
    .focus()
    .command(({ tr, state }) => {
      const { from, to } = state.selection;
      state.doc.nodesBetween(from, to, (node, position) => {
        if (node.type.name !== 'paragraph' && node.type.name !== 'heading') return;
        tr.setNodeMarkup(position, undefined, {
          ...node.attrs,
          kept: withClass(node.attrs.kept as Record<string, string> | null, className),
        });
      });
      return true;
    })
    .run();
}

function withClass(attributes: Record<string, string> | null, className: string): Record<string, string> | null {
  const holder = document.createElement('p');
  holder.className = attributes?.class ?? '';
  chooseClass(holder, classes, className);
  const { class: _, ...rest } = attributes ?? {};
  const all = holder.className === '' ? rest : { ...rest, class: holder.className };
  return Object.keys(all).length > 0 ? all : null;
}
