import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { keys } from '../lib/queries.ts';
import { RecordForm } from './record-form.tsx';

/** The screen of one record. */
export function FormScreen() {
  const { model = '', id = 'new' } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const given = id === 'new' ? 'new' : Number(id);
  return (
    <RecordForm
      key={`${model} ${id}`}
      model={model}
      id={given}
      onSaved={(saved) => {
        void client.invalidateQueries({ queryKey: keys.records(model) });
        if (given === 'new') void navigate(recordAddress(model, saved, query.get('menu')), { replace: true });
      }}
    />
  );
}
