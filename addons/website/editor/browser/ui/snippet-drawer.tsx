import { Picture, SelectField, TextField } from '@pergola/web/kit';
import { t, url } from 'pergola/browser';
import { correctWords, hasWords, writtenWords } from 'pergola/islands';
import { useEffect, useRef, useState } from 'react';
import type { Drawer, DrawerSnippet } from '../calls.ts';
import { dragFromDrawer } from '../drag.ts';
import { moveGridFocus } from './tool-button.tsx';

export interface SnippetDrawerProps {
  readonly drawer: Drawer | null;
  /** Whether a column is selected that can contain a block. */
  readonly hasColumn: boolean;
  onInsert(id: string, place: { readonly inside: boolean }): void;
}

/**
 * All insertable blocks by category. They are dragged to their position, or clicked to insert after the selected block or into the selected
 * column.
 */
export function SnippetDrawer({ drawer, hasColumn, onInsert }: SnippetDrawerProps) {
  const [needle, setNeedle] = useState('');
  const [isInsideChecked, setInsideChecked] = useState(false);
  const inside = isInsideChecked && hasColumn;
  if (!drawer) return <p className="ed-none">{t('One moment…')}</p>;
  const names = kinds();
  // Sections can't be nested.
  const fitting = inside ? drawer.snippets.filter(({ tab }) => tab !== 'structure') : drawer.snippets;
  const all = fitting.map((snippet) => ({
    ...snippet,
    name: `${snippet.label} ${names.find(([tab]) => tab === snippet.tab)?.[1] ?? ''}`,
  }));
  const find = (text: string) => all.filter(({ name }) => hasWords(name, text));
  const matches = find(needle);
  const words = all.flatMap(({ name }) => writtenWords(name.toLowerCase()));
  const corrected = matches.length === 0 ? correctWords(needle, words) : null;
  const results = corrected === null ? matches : find(corrected);
  const groups = names.flatMap(([tab, label]) => {
    const snippets = results.filter((snippet) => snippet.tab === tab);
    return snippets.length > 0 ? [{ tab, label, snippets }] : [];
  });
  return (
    <>
      <TextField label={t('Search')} type="search" value={needle} onChange={setNeedle} />
      <p className="form-text">{t('Drag a block onto the page, or select it to add it after the current one.')}</p>
      {hasColumn ? (
        <SelectField
          label={t('Where')}
          value={inside ? 'inside' : 'after'}
          choices={[
            { value: 'after', label: t('After the selected block') },
            { value: 'inside', label: t('In the selected column') },
          ]}
          onChange={(value) => setInsideChecked(value === 'inside')}
        />
      ) : null}
      {corrected !== null && results.length > 0 ? (
        <p className="ed-none" role="status">
          {t('No results for “{needle}”. Showing results for “{corrected}”.', { needle, corrected })}
        </p>
      ) : null}
      {groups.map(({ tab, label, snippets }) => (
        <section key={tab}>
          <h3 className="ed-kind">{label}</h3>
          <SnippetList label={label} snippets={snippets} onInsert={(id) => onInsert(id, { inside })} />
          {tab === 'saved' ? (
            <p className="form-text">
              <a href={url('/web/m/website.saved_block')} target="_blank" rel="noopener">
                {t('Rename or remove saved blocks')}
              </a>
            </p>
          ) : null}
        </section>
      ))}
      {groups.length === 0 ? <p className="ed-none">{t('No blocks match your search.')}</p> : null}
    </>
  );
}

interface SnippetListProps {
  readonly label: string;
  readonly snippets: readonly DrawerSnippet[];
  onInsert(id: string): void;
}

/** Blocks of a category. Arrow keys move between them, so the next category is one Tab away. */
function SnippetList({ label, snippets, onInsert }: SnippetListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => (list.current ? dragFromDrawer(list.current) : undefined), []);
  return (
    <div
      ref={list}
      className="ed-snippets"
      role="toolbar"
      aria-label={label}
      onKeyDown={moveGridFocus}
      // Phones scroll the focused field back into view during a tap, which would then hit another element.
      onPointerDown={() => document.activeElement instanceof HTMLElement && document.activeElement.blur()}
    >
      {snippets.map((snippet, index) => (
        <button
          key={snippet.id}
          type="button"
          data-snippet={snippet.id}
          data-tab={snippet.tab}
          tabIndex={index === Math.min(current, snippets.length - 1) ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onClick={() => onInsert(snippet.id)}
        >
          <Picture src={snippet.thumbnail} alt="" width="120" height="80" draggable={false} />
          <span>{snippet.label}</span>
        </button>
      ))}
    </div>
  );
}

function kinds(): [DrawerSnippet['tab'], string][] {
  return [
    ['saved', t('Saved')],
    ['structure', t('Structure')],
    ['content', t('Content')],
    ['feature', t('Features')],
    ['effect', t('Effects')],
    ['dynamic', t('Dynamic content')],
  ];
}
