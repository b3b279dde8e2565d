import type { Editor } from '@tiptap/core';
import { chooseClass, chosenClass } from '../dom/blocks.ts';

/** Classes of the alignments. */
const alignments = { start: 'text-start', center: 'text-center', end: 'text-end' } as const;
export type Alignment = keyof typeof alignments;
const classes = Object.values(alignments);

/** Alignment of the paragraph or heading at the cursor. */
export function alignmentOf(editor: Editor): Alignment | null {
  const kept = (editor.getAttributes('heading').kept ?? editor.getAttributes('paragraph').kept) as Record<
    string,
    string
  > | null;
  const holder = document.createElement('p');
  holder.className = kept?.class ?? '';
  const found = chosenClass(holder, classes);
  return (Object.keys(alignments) as Alignment[]).find((name) => alignments[name] === found) ?? null;
}

/** Aligns all selected paragraphs and headings; choosing the current alignment removes it. */
export function align(editor: Editor, alignment: Alignment): void {
  const wanted = alignmentOf(editor) === alignment ? '' : alignments[alignment];
  editor
    .chain()
    .focus()
    .command(({ tr, state }) => {
      const { from, to } = state.selection;
      state.doc.nodesBetween(from, to, (node, position) => {
        if (node.type.name !== 'paragraph' && node.type.name !== 'heading') return;
        tr.setNodeMarkup(position, undefined, {
          ...node.attrs,
          kept: withClass(node.attrs.kept as Record<string, string> | null, wanted),
        });
      });
      return true;
    })
    .run();
}

function withClass(kept: Record<string, string> | null, wanted: string): Record<string, string> | null {
  const holder = document.createElement('p');
  holder.className = kept?.class ?? '';
  chooseClass(holder, classes, wanted);
  const { class: _, ...rest } = kept ?? {};
  const all = holder.className === '' ? rest : { ...rest, class: holder.className };
  return Object.keys(all).length > 0 ? all : null;
}
