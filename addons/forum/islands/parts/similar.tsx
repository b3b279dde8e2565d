import { request, t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import { TYPING_DELAY } from '../../constants.ts';

interface Question {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly solved: boolean;
}

/** Questions similar to the title being typed. `address` is the search URL. */
export default function Similar({ address, title }: { address: string; title: string }) {
  const [suggestions, setSuggestions] = useState<readonly Question[]>([]);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const questions = await find(address, title);
      if (!isOver) setSuggestions(questions);
    }, TYPING_DELAY);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [address, title]);
  return (
    <div className="forum-similar-box" data-similar aria-live="polite">
      {suggestions.length > 0 && (
        <>
          <p className="mb-0 fw-bold">{t('Has this already been asked?')}</p>
          <ul>
            {suggestions.map(({ id, name, url, solved }) => (
              <li key={id}>
                <a href={url} target="_blank" rel="noopener">
                  {name}
                </a>
                {solved && ` ✓ ${t('solved')}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

async function find(address: string, title: string): Promise<readonly Question[]> {
  if (title.trim().length < 4) return [];
  try {
    const answer = await request(`${address}?${new URLSearchParams({ q: title })}`);
    return answer.ok ? ((await answer.json()) as Question[]) : [];
  } catch {
    // Suggestions are optional.
    return [];
  }
}
