import { useCombobox } from 'downshift';
import { t } from 'pergola/browser';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';

interface Props<T> extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onSelect'> {
  /** Current text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Returns suggestions for the text, called once the user pauses; null if the text is too short. */
  readonly suggest: (text: string) => Promise<readonly T[] | null>;
  /** Message if nothing matches. No message by default. */
  readonly none?: string;
  /** Text of the field after an item was selected. */
  readonly textOf: (item: T) => string;
  readonly show?: (item: T) => ReactNode;
  readonly onSelect: (item: T) => void;
  /** Accessible name of the list. */
  readonly label: string;
  /** CSS class of the list and its items. */
  readonly listClass?: string;
  /** Milliseconds after the last key press until suggestions are requested. */
  readonly delay?: number;
  /** Milliseconds until a loading message is shown. Never by default. */
  readonly loadingDelay?: number;
}

/** Props of list entries that can't be selected. */
const NOTE = { role: 'option', 'aria-disabled': true, 'aria-selected': false } as const;

/** Suggestions, and the index of the highlighted one or -1. */
interface List<T> {
  readonly items: readonly T[];
  readonly activeIndex: number;
}

const emptyList = { items: [], activeIndex: -1 };

/** Returns the index of the highlighted item among new suggestions. Compares by value, because every response contains new objects. */
function placeOf<T>({ items, activeIndex }: List<T>, suggestions: readonly T[]): number {
  const text = JSON.stringify(items[activeIndex]);
  return suggestions.findIndex((item) => JSON.stringify(item) === text);
}

/** Text input with suggestions, for mouse and keyboard. Other values may be entered, too. */
export function Combobox<T>({
  value,
  onChange,
  suggest,
  none: emptyMessage,
  textOf,
  show = textOf,
  onSelect,
  label,
  listClass = 'combobox-list',
  delay = 250,
  loadingDelay,
  ...input
}: Props<T>) {
  const [{ items, activeIndex }, setList] = useState<List<T>>(emptyList);
  const [isLoading, setLoading] = useState(false);
  const [isNone, setNone] = useState(false);
  const requestCount = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (text: string): void => {
    clearTimeout(timer.current);
    const number = ++requestCount.current;
    timer.current = setTimeout(async () => {
      const slow =
        loadingDelay === undefined
          ? undefined
          : setTimeout(() => setLoading(number === requestCount.current), loadingDelay);
      // If the request fails, there are no suggestions and the field works as before.
      const suggestions = await suggest(text).catch(() => null);
      clearTimeout(slow);
      if (number !== requestCount.current) return;
      setLoading(false);
      setNone(suggestions?.length === 0);
      setList((list) => ({ items: suggestions ?? [], activeIndex: placeOf(list, suggestions ?? []) }));
    }, delay);
  };
  const { isOpen, getInputProps, getMenuProps, getItemProps } = useCombobox<T>({
    items: [...items],
    inputValue: value,
    selectedItem: null,
    highlightedIndex: activeIndex,
    onHighlightedIndexChange: ({ highlightedIndex }) => setList((list) => ({ ...list, activeIndex: highlightedIndex })),
    itemToString: (item) => (item === null ? value : textOf(item)),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null) return;
      setList(emptyList);
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
              // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat, and items have no state
              key={index}
              className={`combobox-item${index === activeIndex ? ' active' : ''}`}
            >
              {show(item)}
            </li>
          ))}
      </ul>
      {emptyMessage !== undefined && (
        <div role="status">{isOpen && isNone && <p className={`${listClass} combobox-none`}>{emptyMessage}</p>}</div>
      )}
    </div>
  );
}
