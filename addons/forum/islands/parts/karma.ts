import { notify, t } from 'pergola/browser';
import type { MouseEvent } from 'react';

/** Error message for too little karma, verbatim from the specification. */
export function karmaText(n: number): string {
  return t(
    '{n} karma is required to perform this action. You can earn karma by having your answers upvoted by the community.',
    { n },
  );
}

/** Props for actions that require more karma than the reader has (`needs`; null if they have enough): a click only shows a message. */
export function karmaGate(needs: number | null) {
  if (needs === null) return {};
  return {
    'data-karma': needs,
    onClickCapture: (event: MouseEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      notify(karmaText(needs), 'alert');
    },
  };
}
