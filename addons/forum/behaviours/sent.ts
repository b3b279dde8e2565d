import { keepDraft, readDraft } from '../browser/drafts.ts';

/** On the page of a question (`[data-forum-sent]`, names of drafts): drafts of what is posted here by now are forgotten. */
export default function sent(element: HTMLElement): void {
  const title = element.querySelector('h1')?.textContent?.trim() ?? '';
  for (const name of (element.dataset.forumSent ?? '').split(' ')) {
    const draft = readDraft(name);
    // Another question may be on its way while an older one is read.
    const isOther = name.endsWith('.ask') && draft?.values.question_name?.trim() !== title;
    if (draft?.sent && !isOther) keepDraft(name, null);
  }
}
