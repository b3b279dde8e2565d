import { t } from 'pergola/browser';
import { SelectField } from '../../kit/field.tsx';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import type { FieldInfo, ModelInfo } from '../types.ts';
import { granularityLabel } from './describe.ts';

const granularities = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Selects the groupings of a list: suggestions of the addon, or any field. */
export function GroupMenu({
  info,
  groupBy,
  onChange,
  label = t('Group'),
  slot = 'group-by',
}: {
  info: ModelInfo;
  groupBy: readonly string[];
  onChange(groupBy: readonly string[]): void;
  label?: string;
  slot?: string;
}) {
  const toggle = (grouping: string): void =>
    onChange(
      groupBy.includes(grouping) ? groupBy.filter((active) => active !== grouping) : [...groupBy, grouping].slice(-3),
    );
  // Moments with a separate calendar day field are grouped by that.
  const fields = Object.values(info.fields).filter((field) => isGroupable(field) && !field.dayField);
  return (
    <MenuButton
      label={
        <>
          <Icon name="layout-three-columns" /> {label}
        </>
      }
      slot={slot}
      keep
    >
      {info.search.groups.map(({ id: group, label: title, by: grouping }) => (
        <button
          key={group}
          type="button"
          className="dropdown-item"
          aria-pressed={groupBy.includes(grouping)}
          onClick={() => toggle(grouping)}
        >
          <span className="backend-tick">{groupBy.includes(grouping) && <Icon name="check2" />}</span>
          {title}
        </button>
      ))}
      {info.search.groups.length > 0 && <hr className="dropdown-divider" />}
      <SelectField
        wrap="backend-menu-form"
        className="form-select form-select-sm"
        label={t('By another field')}
        value=""
        onChange={(grouping) => grouping && toggle(grouping)}
        choices={[
          { value: '', label: t('Choose…') },
          ...fields.flatMap(({ name, label: title, kind }) =>
            kind === 'date' || kind === 'datetime'
              ? granularities.map((step) => ({
                  value: `${name}:${step}`,
                  label: `${title} (${granularityLabel(step)})`,
                }))
              : { value: name, label: title },
          ),
        ]}
      />
    </MenuButton>
  );
}

/** Whether records can be grouped by a field: it is stored and its values are shared by several records. */
function isGroupable({ kind, groupable, translate }: FieldInfo): boolean {
  const kinds = ['char', 'selection', 'boolean', 'many2one', 'date', 'datetime', 'integer'];
  return groupable && !translate && kinds.includes(kind);
}
