import { useCombobox } from 'downshift';
import { t } from 'pergola/browser';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';

interface Props<T> extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onSelect'> {
  /** What was typed. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is offered for what was typed, asked for once nobody has typed for a moment; null where that is too little to ask for. */
  readonly suggest: (typed: string) => Promise<readonly T[] | null>;
  /** What is said where nothing fits; nothing when left out. */
  readonly none?: string;
  /** What the field says when it was chosen. */
  readonly textOf: (item: T) => string;
  readonly show?: (item: T) => ReactNode;
  readonly onSelect: (item: T) => void;
  /** What screen readers call the list. */
  readonly label: string;
  /** Class of the list and of its items. */
  readonly listClass?: string;
  /** Milliseconds after the last key until somebody seems to have typed what they wanted. */
  readonly delay?: number;
  /** Milliseconds after which somebody who waits is told that suggestions are on their way; never when left out. */
  readonly loadingDelay?: number;
}

/** For what stands in the list and cannot be chosen. */
const NOTE = { role: 'option', 'aria-disabled': true, 'aria-selected': false } as const;

/** What is offered, and the place of what is highlighted; -1 where nothing is. */
interface List<T> {
  readonly items: readonly T[];
  readonly at: number;
}

const nothing = { items: [], at: -1 };

/** Where among new suggestions the highlighted one is: they are data, and come anew with each answer. */
function placeOf<T>({ items, at }: List<T>, found: readonly T[]): number {
  const text = JSON.stringify(items[at]);
  return found.findIndex((item) => JSON.stringify(item) === text);
}

/** A text field with a list of what it may be, by mouse and by keyboard; anything else may be typed. */
export function Combobox<T>({
  value,
  onChange,
  suggest,
  none,
  textOf,
  show = textOf,
  onSelect,
  label,
  listClass = 'combobox-list',
  delay = 250,
  loadingDelay,
  ...input
}: Props<T>) {
  const [{ items, at }, setList] = useState<List<T>>(nothing);
  const [isLoading, setLoading] = useState(false);
  const [isNone, setNone] = useState(false);
  const asked = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (typed: string): void => {
    clearTimeout(timer.current);
    const number = ++asked.current;
    timer.current = setTimeout(async () => {
      const slow =
        loadingDelay === undefined ? undefined : setTimeout(() => setLoading(number === asked.current), loadingDelay);
      // Where it fails nothing is offered, and the field works as before.
      const found = await suggest(typed).catch(() => null);
      clearTimeout(slow);
      if (number !== asked.current) return;
      setLoading(false);
      setNone(found?.length === 0);
      setList((list) => ({ items: found ?? [], at: placeOf(list, found ?? []) }));
    }, delay);
  };
  const { isOpen, getInputProps, getMenuProps, getItemProps } = useCombobox<T>({
    items: [...items],
    inputValue: value,
    selectedItem: null,
    highlightedIndex: at,
    onHighlightedIndexChange: ({ highlightedIndex }) => setList((list) => ({ ...list, at: highlightedIndex })),
    itemToString: (item) => (item === null ? value : textOf(item)),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null) return;
      setList(nothing);
      onSelect(selectedItem);
    },
  });
  const isShown = isOpen && (isLoading || items.length > 0);
  return (
    <div className="combobox">
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: downshift makes it a combobox */}
      <input
        {...getInputProps({
          ...input,
          onChange: (event) => {
            onChange(event.currentTarget.value);
            ask(event.currentTarget.value);
          },
        })}
        autoComplete="off"
        aria-expanded={isShown}
      />
      <ul {...getMenuProps({ 'aria-label': label })} className={listClass} hidden={!isShown}>
        {isLoading && (
          <li {...NOTE} className="combobox-item">
            {t('Loading…')}
          </li>
        )}
        {isShown &&
          !isLoading &&
          items.map((item, index) => (
            <li
              {...getItemProps({ item, index })}
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be called alike, and none keeps anything of its own
              key={index}
              className={`combobox-item${index === at ? ' active' : ''}`}
            >
              {show(item)}
            </li>
          ))}
      </ul>
      {none !== undefined && (
        <div role="status">{isOpen && isNone && <p className={`${listClass} combobox-none`}>{none}</p>}</div>
      )}
    </div>
  );
}
