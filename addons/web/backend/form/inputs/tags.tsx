import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { Link } from 'react-router';
import { choicesOf } from '../../fields/choices.ts';
import { useMaking } from '../../fields/making.tsx';
import { type Picked, RecordPicker } from '../../fields/record-picker.tsx';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { inputProps } from '../../fields/text.tsx';
import { recordAddress } from '../../lib/addresses.ts';
import { callKw } from '../../lib/calls.ts';
import { Icon } from '../../lib/icon.tsx';
import { keys } from '../../lib/queries.ts';
import { idsOf } from '../values.ts';

/** Returns the records' names in the order of the ids. Records that the user may not read are left out. */
function useNames(model: string, ids: readonly number[]): readonly Picked[] {
  const { data = [] } = useQuery({
    queryKey: [...keys.records(model), 'names of', ids],
    queryFn: () => callKw<Picked[]>(model, 'name_get', [ids]),
    enabled: ids.length > 0 && model !== '',
    meta: { isQuiet: true },
    placeholderData: keepPreviousData,
  });
  const names = new Map(data.map(([id, name]) => [id, name]));
  return ids.map((id) => [id, names.get(id) ?? '…']);
}

/** Records as tags, each linked to its record. */
export function TagsShow({ value, field }: ShowProps) {
  const relation = field.relation ?? '';
  const names = useNames(relation, idsOf(value));
  return (
    <ul className="form-tags">
      {names.map(([id, name]) => (
        <li key={id} className="form-tag">
          <Link to={recordAddress(relation, id)}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}

/** Adds and removes records by name. */
export function TagsEdit(props: EditProps) {
  const { value, field, onChange, onBlur, disabled } = props;
  const ids = idsOf(value);
  const relation = field.relation ?? '';
  const names = useNames(relation, ids);
  const add = ([id]: Picked): void => onChange([...ids, id]);
  const { domain, defaults } = choicesOf(field, props.record);
  const making = useMaking(relation, add, defaults);
  return (
    <div className="form-tags-edit">
      {names.length > 0 && (
        <ul className="form-tags">
          {names.map(([id, name]) => (
            <li key={id} className="form-tag">
              <span>{name}</span>
              <button
                type="button"
                className="form-tag-remove"
                disabled={disabled}
                aria-label={t('Remove {name}', { name })}
                onClick={() => onChange(ids.filter((tagId) => tagId !== id))}
              >
                <Icon name="x-lg" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <RecordPicker
        model={relation}
        domain={domain}
        excludedIds={ids}
        displayText=""
        label={props.label ?? field.label}
        input={{ ...inputProps(props), placeholder: t('Add…') }}
        onPick={add}
        onBlur={onBlur}
        create={!disabled}
        onEdit={making.ask}
      />
      {making.dialog}
    </div>
  );
}
