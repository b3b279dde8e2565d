import { useEffect, useRef, useState } from 'react';
import { t } from '#core/browser';
import type { Drawer, DrawerSnippet } from '../calls.ts';
import { dragFromDrawer } from '../drag.ts';
import { TextInput } from './fields.tsx';

/** Everything that can be put into a page, by kind: dragged to its place, or with a click after the chosen block. */
export function SnippetDrawer({ drawer, onInsert }: { drawer: Drawer | null; onInsert(id: string): void }) {
  const [needle, setNeedle] = useState('');
  if (!drawer) return <p className="ed-none">{t('One moment…')}</p>;
  const wanted = folded(needle.trim());
  const groups = kinds().flatMap(([tab, label]) => {
    const isKind = folded(label).includes(wanted);
    const snippets = drawer.snippets.filter((one) => one.tab === tab && (isKind || folded(one.label).includes(wanted)));
    return snippets.length > 0 ? [{ tab, label, snippets }] : [];
  });
  return (
    <>
      <TextInput label={t('Search')} type="search" value={needle} onChange={setNeedle} />
      <p className="form-text">{t('Drag a block into the page, or press it to put it after the chosen one.')}</p>
      {groups.map(({ tab, label, snippets }) => (
        <section key={tab}>
          <h3 className="ed-kind">{label}</h3>
          <SnippetList snippets={snippets} onInsert={onInsert} />
        </section>
      ))}
      {groups.length === 0 ? <p className="ed-none">{t('No block is called that.')}</p> : null}
    </>
  );
}

function SnippetList({ snippets, onInsert }: { snippets: readonly DrawerSnippet[]; onInsert(id: string): void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => (list.current ? dragFromDrawer(list.current) : undefined), []);
  return (
    <div ref={list} className="ed-snippets">
      {snippets.map(({ id, label, thumbnail }) => (
        <button key={id} type="button" data-snippet={id} onClick={() => onInsert(id)}>
          <img src={thumbnail} alt="" width="120" height="80" loading="lazy" draggable={false} />
          <span>{label}</span>
        </button>
      ))}
    </div>
  );
}

/** Without capitals and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function kinds(): [DrawerSnippet['tab'], string][] {
  return [
    ['saved', t('Saved')],
    ['structure', t('Structure')],
    ['content', t('Content')],
    ['feature', t('Features')],
    ['effect', t('Effects')],
    ['dynamic', t('From the records')],
  ];
}
