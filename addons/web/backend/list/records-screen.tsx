import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { widgetFor } from '../fields/registry.tsx';
import { recordAddress } from '../lib/addresses.ts';
import { searchRead } from '../lib/calls.ts';
import { keys, useModel } from '../lib/queries.ts';
import { Crumbs } from '../shell/crumbs.tsx';

/** The records of a model. */
export function RecordsScreen() {
  const { model = '' } = useParams();
  const info = useModel(model);
  const columns = info.list.columns.filter(({ optional }) => !optional);
  const { data } = useSuspenseQuery({
    queryKey: keys.list(model, {}),
    queryFn: () => searchRead(model, { domain: [], fields: columns.map(({ field }) => field), order: info.list.order }),
  });
  return (
    <div className="p-3">
      <Crumbs here={info.label} />
      <table className="table">
        <tbody>
          {data.map((record) => (
            <tr key={record.id}>
              {columns.map(({ field: name, widget }, index) => {
                const field = info.fields[name];
                if (!field) return null;
                const { Show } = widgetFor(field, widget);
                const shown = <Show value={record[name]} field={field} record={record} model={model} />;
                return (
                  <td key={name}>{index === 0 ? <Link to={recordAddress(model, record.id)}>{shown}</Link> : shown}</td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
