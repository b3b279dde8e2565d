import { ready, t } from '#core/browser';
import { TYPING_DELAY } from '../browser/tag-list.ts';

interface Similar {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly answers: number;
  readonly solved: boolean;
}

/** Shows questions like the one whose title is being typed (`[data-forum-similar]`, where to ask for them). */
export default function similar(box: HTMLElement): (() => void) | undefined {
  const input = box.querySelector('input');
  const place = box.querySelector('[data-similar]');
  if (!input || !place) return undefined;
  let timer = 0;
  let asked = 0;
  const typed = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      const turn = ++asked;
      const found = await find(`${box.dataset.forumSimilar}?${new URLSearchParams({ q: input.value })}`, input.value);
      if (turn === asked) await show(place, found);
    }, TYPING_DELAY);
  };
  input.addEventListener('input', typed);
  // Typed before this came, or handed back.
  if (input.value !== '') typed();
  return () => {
    clearTimeout(timer);
    input.removeEventListener('input', typed);
  };
}

async function find(address: string, title: string): Promise<readonly Similar[]> {
  if (title.trim().length < 4) return [];
  try {
    const answer = await fetch(address);
    return answer.ok ? ((await answer.json()) as Similar[]) : [];
  } catch {
    // One can ask without seeing what others asked.
    return [];
  }
}

async function show(place: Element, found: readonly Similar[]): Promise<void> {
  await ready;
  place.replaceChildren();
  if (found.length === 0) return;
  const heading = document.createElement('p');
  heading.className = 'mb-0 fw-bold';
  heading.textContent = t('Has it been asked already?');
  const list = document.createElement('ul');
  for (const { name, url, solved } of found) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = url;
    link.target = '_blank';
    link.rel = 'noopener';
    link.textContent = name;
    item.append(link, solved ? ` ✓ ${t('answered')}` : '');
    list.append(item);
  }
  place.append(heading, list);
}
