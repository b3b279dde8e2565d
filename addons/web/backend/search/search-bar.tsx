import { t } from 'pergola/browser';
import { type ReactNode, useRef, useState } from 'react';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import type { ListState } from '../list/list-state.ts';
import type { ModelInfo } from '../types.ts';
import type { Chip, RuleGroup } from './conditions.ts';
import { chipLabel, groupByLabel } from './describe.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { GroupMenu } from './group-menu.tsx';

/** Search, filters and groupings of a list, with the active ones as chips. */
export function SearchBar({
  info,
  state,
  setState,
  groups = true,
  children,
}: {
  info: ModelInfo;
  state: ListState;
  setState(change: Partial<ListState>): void;
  /** Whether the view supports grouping. */
  groups?: boolean;
  /** Placed after the menus: saved views. */
  children?: ReactNode;
}) {
  const [edited, setEdited] = useState<{ group: RuleGroup; index: number } | null>(null);
  const { chips } = state;
  const groupBy = groups ? state.groupBy : [];
  const setChips = (next: readonly Chip[]): void => setState({ chips: next, saved: null });
  const keepRules = (group: RuleGroup): void => {
    const chip: Chip = { kind: 'rules', group };
    const isNew = edited === null || edited.index >= chips.length;
    const next = isNew ? [...chips, chip] : chips.map((existing, index) => (index === edited.index ? chip : existing));
    setChips(group.rules.length > 0 ? next : next.filter((existing) => existing !== chip));
    setEdited(null);
  };
  return (
    <div className="backend-search" data-slot="search">
      <TextSearch onSearch={(text) => setChips([...chips, { kind: 'text', text, field: null }])} info={info} />
      <div className="backend-search-menus">
        <MenuButton
          label={
            <>
              <Icon name="funnel" /> {t('Filters')}
            </>
          }
          slot="filters"
          keep
        >
          {(close) => (
            <>
              {info.search.filters.map((filter) => (
                <button
                  key={filter.id}
                  type="button"
                  className="dropdown-item"
                  aria-pressed={hasPreset(chips, filter.id)}
                  onClick={() => setChips(togglePreset(chips, filter.id))}
                >
                  <span className="backend-tick">{hasPreset(chips, filter.id) && <Icon name="check2" />}</span>
                  {filter.label}
                </button>
              ))}
              {info.search.filters.length > 0 && <hr className="dropdown-divider" />}
              {info.archives && !info.search.filters.some(({ domain }) => namesActive(domain)) && (
                <button
                  type="button"
                  className="dropdown-item"
                  aria-pressed={hasArchived(chips)}
                  onClick={() => setChips(toggleArchived(chips))}
                >
                  <span className="backend-tick">{hasArchived(chips) && <Icon name="check2" />}</span>
                  {t('Archived')}
                </button>
              )}
              <button
                type="button"
                className="dropdown-item"
                onClick={() => {
                  close();
                  setEdited({ group: { any: false, rules: [] }, index: chips.length });
                }}
              >
                <span className="backend-tick">
                  <Icon name="plus-lg" />
                </span>
                {t('Custom filter…')}
              </button>
            </>
          )}
        </MenuButton>
        {groups && (
          <GroupMenu info={info} groupBy={groupBy} onChange={(next) => setState({ groupBy: next, saved: null })} />
        )}
        {children}
      </div>
      {(chips.length > 0 || groupBy.length > 0) && (
        <ul className="backend-chips" aria-label={t('Active filters')} data-slot="chips">
          {chips.map((chip, index) => (
            <li key={JSON.stringify(chip)} className="backend-chip">
              {chip.kind === 'rules' ? (
                <button
                  type="button"
                  className="backend-chip-text"
                  title={t('Edit these conditions')}
                  onClick={() => setEdited({ group: chip.group, index })}
                >
                  <Icon name="funnel" /> {chipLabel(chip, info)}
                </button>
              ) : (
                <span className="backend-chip-text">
                  <Icon name={chip.kind === 'text' ? 'search' : 'funnel'} /> {chipLabel(chip, info)}
                </span>
              )}
              <RemoveChip
                label={chipLabel(chip, info)}
                onRemove={() => setChips(chips.filter((existing) => existing !== chip))}
              />
            </li>
          ))}
          {groupBy.map((grouping) => (
            <li key={grouping} className="backend-chip backend-chip-group">
              <span className="backend-chip-text">
                <Icon name="layout-three-columns" /> {groupByLabel(grouping, info)}
              </span>
              <RemoveChip
                label={groupByLabel(grouping, info)}
                onRemove={() => setState({ groupBy: groupBy.filter((existing) => existing !== grouping), saved: null })}
              />
            </li>
          ))}
        </ul>
      )}
      {edited && <FilterDialog info={info} group={edited.group} onDone={keepRules} onClose={() => setEdited(null)} />}
    </div>
  );
}

function RemoveChip({ label, onRemove }: { label: string; onRemove(): void }) {
  return (
    <button
      type="button"
      className="backend-chip-remove"
      aria-label={t('Remove {name}', { name: label })}
      onClick={onRemove}
    >
      <Icon name="x-lg" />
    </button>
  );
}

function TextSearch({ info, onSearch }: { info: ModelInfo; onSearch(text: string): void }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const fields = info.search.fields.map((name) => info.fields[name]?.label).filter(Boolean);
  const placeholder = fields.length > 0 ? t('Search in {fields}', { fields: fields.join(', ') }) : t('Search');
  return (
    <search className="backend-search-text">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onSearch(text.trim().slice(0, 200));
          setText('');
          input.current?.focus();
        }}
      >
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          className="form-control form-control-sm"
          aria-label={placeholder}
          placeholder={placeholder}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
}

function hasPreset(chips: readonly Chip[], id: string): boolean {
  return chips.some((chip) => chip.kind === 'preset' && chip.id === id);
}

function togglePreset(chips: readonly Chip[], id: string): readonly Chip[] {
  return hasPreset(chips, id)
    ? chips.filter((chip) => !(chip.kind === 'preset' && chip.id === id))
    : [...chips, { kind: 'preset', id }];
}

function namesActive(domain: readonly unknown[]): boolean {
  return domain.some((term) => Array.isArray(term) && term[0] === 'active');
}

function isArchivedChip(chip: Chip): boolean {
  return chip.kind === 'domain' && namesActive(chip.domain);
}

function hasArchived(chips: readonly Chip[]): boolean {
  return chips.some(isArchivedChip);
}

function toggleArchived(chips: readonly Chip[]): readonly Chip[] {
  return hasArchived(chips)
    ? chips.filter((chip) => !isArchivedChip(chip))
    : [...chips, { kind: 'domain', label: t('Archived'), domain: [['active', '=', false]] }];
}
