import { isPicture, placeIn, plainPaste } from '@pergola/web/browser';
import { Selection } from '@tiptap/pm/state';
import type { EditorProps } from '@tiptap/pm/view';
import { notify, t } from 'pergola/browser';

/** Editor props for paste and drop: text without formatting, images as files. */
export function takingPictures(
  take: (files: readonly File[]) => void,
): Pick<EditorProps, 'transformPastedHTML' | 'handlePaste' | 'handleDrop'> {
  const takeFrom = (data: DataTransfer | null): boolean => {
    const pictures = picturesIn(data);
    if (pictures.length > 0) take(pictures);
    return pictures.length > 0;
  };
  return {
    transformPastedHTML: (html, view) => plainPaste(html, placeIn(view), tellLeftOut),
    // Word and Excel add an image of the copied text to the clipboard.
    handlePaste: (_view, event) => !event.clipboardData?.getData('text/plain').trim() && takeFrom(event.clipboardData),
    handleDrop: (view, event) => {
      const position = view.posAtCoords({ left: event.clientX, top: event.clientY });
      if (position && picturesIn(event.dataTransfer).length > 0)
        view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(position.pos))));
      return takeFrom(event.dataTransfer);
    },
  };
}

function tellLeftOut(n: number): void {
  notify(t('Images that couldn’t be pasted: {n}. Insert them with “Image”.', { n }));
}

/** Images among pasted or dropped files. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(isPicture);
}
