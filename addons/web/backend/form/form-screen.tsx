import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { listAddress, recordAddress } from '../lib/addresses.ts';
import { keys } from '../lib/queries.ts';
import { useListMemory } from '../shell/list-memory.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { RecordForm } from './record-form.tsx';

/** Screen of an existing or new record. */
export function FormScreen() {
  const { id = 'new' } = useParams();
  return id === 'new' || /^[1-9]\d{0,14}$/.test(id) ? <Form /> : <NotFound />;
}

function Form() {
  const { model = '', id = 'new' } = useParams();
  const [query] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const memory = useListMemory();
  const menu = query.get('menu');
  const recordId = id === 'new' ? 'new' : Number(id);
  const list = memory.get(model)?.to ?? listAddress(model, menu);
  return (
    <RecordForm
      key={`${model} ${id}`}
      model={model}
      id={recordId}
      defaults={recordId === 'new' ? defaultsOf(query) : undefined}
      onSaved={(saved) => {
        void client.invalidateQueries({ queryKey: keys.records(model) });
        if (recordId === 'new')
          afterRender(() => void navigate(recordAddress(model, saved, menu), { replace: true, state }));
      }}
      onDeleted={() => afterRender(() => void navigate(list, { replace: true }))}
      onCopied={(copyId) => void navigate(recordAddress(model, copyId, menu), { state })}
    />
  );
}

/** Waits until the form has rendered as saved; leaving earlier would ask for confirmation. */
function afterRender(act: () => void): void {
  setTimeout(act);
}

/** Returns the defaults for a new record from the query string, such as `default_name=…`. */
function defaultsOf(query: URLSearchParams): Readonly<Record<string, unknown>> | undefined {
  const defaults = [...query].flatMap(([name, value]) =>
    name.startsWith('default_') ? [[name.slice('default_'.length), value] as const] : [],
  );
  return defaults.length > 0 ? Object.fromEntries(defaults) : undefined;
}
