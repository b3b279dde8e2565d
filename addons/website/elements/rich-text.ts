import '../editor/browser/css/rich-text.css';
import '../editor/browser/css/text-tools.css';
import '../editor/browser/css/fields.css';
import '../editor/browser/css/media.css';

/**
 * `<textarea data-rich-text>` of a form becomes the rich-text editor when it comes into sight; without JavaScript it stays what it is. What the
 * editor itself shows (`.rich-text`) has its looks from here, whoever put it on the page.
 */
export default function richText(element: HTMLElement): (() => void) | undefined {
  if (!(element instanceof HTMLTextAreaElement)) return undefined;
  let end: (() => void) | null = null;
  let isOver = false;
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void import('../editor/browser/enhance.tsx').then(({ enhanceTextArea }) => {
        if (!isOver) end = enhanceTextArea(element);
      });
    },
    { rootMargin: '200px' },
  );
  seen.observe(element);
  return () => {
    isOver = true;
    seen.disconnect();
    end?.();
  };
}
