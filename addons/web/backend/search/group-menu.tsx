import { t } from '#core/browser';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { granularityLabel } from './describe.ts';

const granularities = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Chooses what a list is grouped by: what the addon offers, or any field. */
export function GroupMenu({
  info,
  groupBy,
  onChange,
}: {
  info: ModelInfo;
  groupBy: readonly string[];
  onChange(groupBy: readonly string[]): void;
}) {
  const toggle = (by: string): void =>
    onChange(groupBy.includes(by) ? groupBy.filter((one) => one !== by) : [...groupBy, by].slice(-3));
  const fields = Object.values(info.fields).filter(isGroupable);
  return (
    <MenuButton
      label={
        <>
          <Icon name="layout-three-columns" /> {t('Group')}
        </>
      }
      slot="group-by"
      keep
    >
      {info.search.groups.map(({ id, label, by }) => (
        <button
          key={id}
          type="button"
          className="dropdown-item"
          aria-pressed={groupBy.includes(by)}
          onClick={() => toggle(by)}
        >
          <span className="backend-tick">{groupBy.includes(by) && <Icon name="check2" />}</span>
          {label}
        </button>
      ))}
      {info.search.groups.length > 0 && <hr className="dropdown-divider" />}
      <div className="backend-menu-form">
        <label className="form-label" htmlFor="backend-group-field">
          {t('By any field')}
        </label>
        <select
          id="backend-group-field"
          className="form-select form-select-sm"
          value=""
          onChange={(event) => event.target.value && toggle(event.target.value)}
        >
          <option value="">{t('Choose …')}</option>
          {fields.flatMap(({ name, label, kind }) =>
            kind === 'date' || kind === 'datetime' ? (
              granularities.map((step) => (
                <option key={`${name}:${step}`} value={`${name}:${step}`}>
                  {label} ({granularityLabel(step)})
                </option>
              ))
            ) : (
              <option key={name} value={name}>
                {label}
              </option>
            ),
          )}
        </select>
      </div>
    </MenuButton>
  );
}

/** Whether records are put together by it: kept, and with values that several share. */
function isGroupable({ kind, store, translate }: FieldInfo): boolean {
  const kinds = ['char', 'selection', 'boolean', 'many2one', 'date', 'datetime', 'integer'];
  return store && !translate && kinds.includes(kind);
}
