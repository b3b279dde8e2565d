import { Check, Icon, SelectField, TextField } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import arrowDownIcon from 'bootstrap-icons/icons/arrow-down.svg';
import arrowUpIcon from 'bootstrap-icons/icons/arrow-up.svg';
import chevronLeftIcon from 'bootstrap-icons/icons/chevron-left.svg';
import chevronRightIcon from 'bootstrap-icons/icons/chevron-right.svg';
import gripVerticalIcon from 'bootstrap-icons/icons/grip-vertical.svg';
import plusLgIcon from 'bootstrap-icons/icons/plus-lg.svg';
import trash3Icon from 'bootstrap-icons/icons/trash3.svg';
import { t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import Sortable from 'sortablejs';
import { calls, type MenuPanel } from '../calls.ts';
import { flatten, groupSize, type MenuEntry, moveEntry, setLevel, toItems, wellFormed } from '../menu-tree.ts';
import { troubleOf } from '../trouble.ts';
import { ToolButton } from './tool-button.tsx';

/** Menu of the site: entries in two levels, moved by dragging or with arrow buttons. */
export function MenuDialog({ onSaved, onClose }: { onSaved(): void; onClose(): void }) {
  const [root, setRoot] = useState<number | null>(null);
  const [entries, setEntries] = useState<readonly MenuEntry[]>([]);
  const [panels, setPanels] = useState<readonly MenuPanel[]>([]);
  const [deletedIds, setDeletedIds] = useState<readonly number[]>([]);
  const [open, setOpen] = useState<number | string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [newCount, setNewCount] = useState(0);
  useEffect(() => {
    void calls.menu().then(
      (menu) => {
        setRoot(menu.root.id);
        setEntries(flatten(menu.root));
        setPanels(menu.panels);
      },
      (failure: unknown) => setError(troubleOf(failure).message),
    );
  }, []);

  const add = (): void => {
    const id = `new-${newCount + 1}`;
    setNewCount(newCount + 1);
    setEntries([...entries, { id, name: '', url: '/', newWindow: false, panel: false, level: 0 }]);
    setOpen(id);
  };
  const remove = (position: number): void => {
    const { id } = entries[position] ?? {};
    if (typeof id === 'number') setDeletedIds([...deletedIds, id]);
    setEntries(wellFormed(entries.filter((_, index) => index !== position)));
  };
  const save = async (): Promise<void> => {
    if (root === null) return;
    const nameless = entries.find(({ name }) => name.trim() === '');
    if (nameless) {
      setOpen(nameless.id);
      setError(t('Enter a name for each item.'));
      return;
    }
    const placeless = entries.find(({ level, url }) => level === 1 && url.trim() === '');
    if (placeless) {
      setOpen(placeless.id);
      setError(t('Enter an address for “{name}”, because it’s a sub-item.', { name: placeless.name }));
      return;
    }
    try {
      await calls.saveMenu(toItems(root, entries), deletedIds);
      onSaved();
    } catch (failure) {
      setError(troubleOf(failure).message);
    }
  };
  return (
    <Dialog
      title={t('Site menu')}
      light
      error={error}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button type="button" className="btn btn-outline-secondary me-auto" onClick={add}>
          <Icon of={plusLgIcon} /> {t('Add item')}
        </button>
      }
      disabled={root === null}
    >
      <Entries entries={entries} panels={panels} open={open} onChange={setEntries} onOpen={setOpen} onRemove={remove} />
    </Dialog>
  );
}

interface EntriesProps {
  readonly entries: readonly MenuEntry[];
  readonly panels: readonly MenuPanel[];
  readonly open: number | string | null;
  onChange(entries: readonly MenuEntry[]): void;
  onOpen(id: number | string | null): void;
  onRemove(at: number): void;
}

function Entries({ entries, panels, open, onChange, onOpen, onRemove }: EntriesProps) {
  const list = useRef<HTMLUListElement>(null);
  const drop = useRef<(from: number, to: number) => void>(() => {});
  drop.current = (from, to) => onChange(wellFormed(carry(entries, from, to)));
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const sortable = Sortable.create(element, {
      handle: '.ed-grip',
      animation: 150,
      forceFallback: true,
      // Restores the dragged element's position before React renders the new order.
      onEnd: ({ item, oldIndex = 0, newIndex = 0 }) => {
        const siblings = [...element.children].filter((child) => child !== item);
        element.insertBefore(item, siblings[oldIndex] ?? null);
        drop.current(oldIndex, newIndex);
      },
    });
    return () => sortable.destroy();
  }, []);
  return (
    <ul ref={list} className="ed-menu">
      {entries.map((entry, index) => (
        <li key={entry.id} className={entry.level === 1 ? 'ed-below' : ''}>
          <div className="ed-menu-line">
            <span className="ed-grip" aria-hidden="true">
              <Icon of={gripVerticalIcon} />
            </span>
            <button
              type="button"
              className="ed-menu-name"
              aria-expanded={open === entry.id}
              onClick={() => onOpen(open === entry.id ? null : entry.id)}
            >
              {entry.name || t('New item')} <small>{entry.url}</small>
            </button>
            <ToolButton
              icon={arrowUpIcon}
              label={t('Move up')}
              disabled={index === 0}
              onPress={() => onChange(moveEntry(entries, index, 'up').entries)}
            />
            <ToolButton
              icon={arrowDownIcon}
              label={t('Move down')}
              disabled={index + groupSize(entries, index) >= entries.length}
              onPress={() => onChange(moveEntry(entries, index, 'down').entries)}
            />
            {entry.level === 0 ? (
              <ToolButton
                icon={chevronRightIcon}
                label={t('Make a sub-item')}
                disabled={index === 0 || groupSize(entries, index) > 1}
                onPress={() => onChange(setLevel(entries, index, 1))}
              />
            ) : (
              <ToolButton
                icon={chevronLeftIcon}
                label={t('Move to the top level')}
                onPress={() => onChange(setLevel(entries, index, 0))}
              />
            )}
            <ToolButton
              icon={trash3Icon}
              label={t('Remove {name}', { name: entry.name })}
              className="ed-danger"
              onPress={() => onRemove(index)}
            />
          </div>
          {open === entry.id ? (
            <EntryForm
              entry={entry}
              panels={panels}
              onChange={(changed) => onChange(entries.map((current) => (current.id === entry.id ? changed : current)))}
            />
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface EntryFormProps {
  readonly entry: MenuEntry;
  readonly panels: readonly MenuPanel[];
  onChange(entry: MenuEntry): void;
}

function EntryForm({ entry, panels, onChange }: EntryFormProps) {
  return (
    <div className="ed-menu-form">
      <TextField label={t('Name')} value={entry.name} autoFocus onChange={(name) => onChange({ ...entry, name })} />
      <TextField
        label={t('Address')}
        value={entry.url}
        autoComplete="off"
        onChange={(url) => onChange({ ...entry, url })}
      />
      {entry.level === 0 ? (
        <SelectField
          label={t('Mega menu')}
          help={t('A saved block, shown instead of sub-items.')}
          value={`${entry.panel || ''}`}
          choices={[
            { value: '', label: t('None') },
            ...panels.map(({ id, name }) => ({ value: `${id}`, label: name })),
          ]}
          onChange={(panel) => onChange({ ...entry, panel: panel === '' ? false : Number(panel) })}
        />
      ) : entry.panel ? (
        <p className="form-text">
          {t('Only top-level items can open a block. This one will open its address instead.')}
        </p>
      ) : null}
      <Check
        label={t('Open in a new window')}
        checked={entry.newWindow}
        onChange={(newWindow) => onChange({ ...entry, newWindow })}
      />
    </div>
  );
}

/** Moves an entry with its children to the drop position. */
function carry(entries: readonly MenuEntry[], from: number, to: number): MenuEntry[] {
  const size = groupSize(entries, from);
  if (to > from && to < from + size) return [...entries];
  const group = entries.slice(from, from + size);
  const remaining = [...entries.slice(0, from), ...entries.slice(from + size)];
  const target = to > from ? to - size + 1 : to;
  return [...remaining.slice(0, target), ...group, ...remaining.slice(target)];
}
