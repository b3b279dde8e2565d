import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RpcError, t } from 'pergola/browser';
import { type KeyboardEvent, useDeferredValue, useId, useRef, useState } from 'react';
import { callKw, fetchModel, nameSearch } from '../lib/calls.ts';
import { keys } from '../lib/queries.ts';
import { useTrouble } from '../lib/trouble.tsx';
import type { Domain } from '../types.ts';

/** A selected record, `[id, name]`. */
export type Picked = readonly [id: number, name: string];

const INITIAL_LIMIT = 8;
const MORE = 60;

/** An option in the list of a picker. */
type Option =
  | { readonly kind: 'record'; readonly picked: Picked }
  | { readonly kind: 'more' }
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'edit'; readonly name: string };

/**
 * Combobox that searches the records of a model. If `onCreate` is set and the user has permission, it creates a missing record from its
 * name, or in a dialog (`onEdit`).
 */
export function RecordPicker({
  model,
  domain,
  excludedIds = [],
  displayText,
  label,
  input,
  onPick,
  onClear,
  onBlur,
  create = false,
  onEdit,
}: {
  model: string;
  domain: Domain;
  /** Ids to exclude. */
  excludedIds?: readonly number[];
  /** Text shown while the user isn't typing. */
  displayText: string;
  label: string;
  input: React.InputHTMLAttributes<HTMLInputElement>;
  onPick(picked: Picked): void;
  onClear?(): void;
  onBlur?(): void;
  create?: boolean;
  onEdit?(name: string): void;
}) {
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const report = useTrouble();
  const list = useId();
  const deferredQuery = useDeferredValue(query);
  const isOpen = query !== null;
  const queries = useQueryClient();
  const searchFor = (text: string) => ({
    queryKey: ['records', model, 'names', text, domain, excludedIds, limit],
    queryFn: () =>
      nameSearch(model, text, excludedIds.length > 0 ? [...domain, ['id', 'not in', excludedIds]] : domain, limit + 1),
  });
  const matches = useQuery({
    ...searchFor(deferredQuery ?? ''),
    enabled: deferredQuery !== null,
    meta: { isQuiet: true },
    placeholderData: (previous) => previous,
  });
  // The options may still belong to an earlier search text.
  const isLooking = deferredQuery !== query || matches.isPlaceholderData || matches.isLoading;
  const latest = useRef(query);
  latest.current = query;
  const info = useQuery({
    queryKey: keys.model(model),
    queryFn: () => fetchModel(model),
    staleTime: 5 * 60_000,
    enabled: create && isOpen,
  });
  const name = (query ?? '').trim();
  const optionsFor = (records: readonly Picked[]): Option[] =>
    optionsOf(records, limit, create && info.data?.may.create === true, name, onEdit !== undefined);
  const options = isOpen ? optionsFor(matches.data ?? []) : [];
  const close = (): void => {
    setQuery(null);
    setLimit(INITIAL_LIMIT);
  };
  const make = async (text: string): Promise<void> => {
    try {
      const created = await callKw<Picked>(model, 'name_create', [text]);
      onPick([created[0], created[1]]);
    } catch (error) {
      // The record needs more than a name: opens the full form.
      if (onEdit && error instanceof RpcError && error.code !== 0 && error.code !== 100) onEdit(text);
      else report(error);
    }
  };
  const choose = (option: Option | undefined): void => {
    if (!option) return;
    if (option.kind === 'more') {
      setLimit(MORE);
      return;
    }
    close();
    if (option.kind === 'record') onPick(option.picked);
    else if (option.kind === 'edit') onEdit?.(option.name);
    else void make(option.name);
  };
  /** Selects the first match of the typed text as soon as it has loaded. */
  const chooseFirst = async (text: string, leaves: boolean): Promise<void> => {
    try {
      const [first] = optionsFor(await queries.ensureQueryData(searchFor(text)));
      if (leaves ? first?.kind === 'record' : latest.current === text) choose(first);
    } catch (error) {
      report(error);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) {
        setQuery('');
        return;
      }
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      if (isLooking && active === 0) void chooseFirst(query, false);
      else choose(options[active]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      event.preventDefault();
      close();
    } else if (event.key === 'Tab' && isOpen && name !== '') {
      if (isLooking && active === 0) void chooseFirst(query, true);
      else if (options[active]?.kind === 'record') choose(options[active]);
    }
  };
  return (
    <div className="backend-combo">
      <input
        {...input}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && options[active] ? `${list}-${active}` : undefined}
        value={query ?? displayText}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
          if (event.target.value === '') onClear?.();
        }}
        onClick={() => setQuery(query ?? '')}
        onKeyDown={onKey}
        onBlur={() => {
          close();
          onBlur?.();
        }}
      />
      {isOpen && (
        <div id={list} role="listbox" className="backend-combo-list" aria-label={label}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles keys
            <div
              key={keyOf(option)}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={`backend-combo-option${index === active ? ' active' : ''}${option.kind === 'record' ? '' : ' backend-combo-act'}`}
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setActive(index)}
              onClick={() => choose(option)}
            >
              {textOf(option)}
            </div>
          ))}
          {options.length === 0 && (
            <div className="backend-combo-none" role="option" aria-selected={false} aria-disabled="true" tabIndex={-1}>
              {matches.isFetched ? t('No results.') : t('Searching…')}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function optionsOf(
  matches: readonly Picked[],
  limit: number,
  mayCreate: boolean,
  name: string,
  hasForm: boolean,
): Option[] {
  const records = matches.slice(0, limit).map((match): Option => ({ kind: 'record', picked: match }));
  const hasExactMatch = matches.some(([, label]) => label.toLowerCase() === name.toLowerCase());
  return [
    ...records,
    ...(matches.length > limit && limit < MORE ? [{ kind: 'more' } as const] : []),
    ...(mayCreate && name !== '' && !hasExactMatch ? [{ kind: 'create', name } as const] : []),
    ...(mayCreate && hasForm ? [{ kind: 'edit', name } as const] : []),
  ];
}

function keyOf(option: Option): string {
  return option.kind === 'record' ? `record ${option.picked[0]}` : option.kind;
}

function textOf(option: Option): string {
  switch (option.kind) {
    case 'record':
      return option.picked[1] || t('Unnamed');
    case 'more':
      return t('Show more…');
    case 'create':
      return t('Create “{name}”', { name: option.name });
    default:
      return t('Create and edit…');
  }
}
