import { notify, t } from 'pergola/browser';
import type { MouseEvent } from 'react';

/** The refusal of somebody with too little karma, in the words of the specification. */
export function karmaText(n: number): string {
  return t(
    '{n} karma is required to perform this action. You can earn karma by having your answers upvoted by the community.',
    { n },
  );
}

/** For what takes more karma than its reader has (`needs`; null: they have enough): a press says so, and does nothing. */
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
