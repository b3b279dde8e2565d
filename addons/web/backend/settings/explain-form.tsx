import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { type FormEvent, useId, useState } from 'react';
import { type Picked, RecordPicker } from '../fields/record-picker.tsx';
import { Icon } from '../lib/icon.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { type Explanation, type GroupTitle, type Operation, type Rights, settingsCalls } from './calls.ts';
import { operationText } from './parts.tsx';

const operations: readonly Operation[] = ['read', 'write', 'create', 'unlink'];

/** Form that takes a user, an operation and a record, and shows the access lists and rules that decide. */
export function ExplainForm({ models }: { models: Rights['models'] }) {
  const [user, setUser] = useState<Picked | null>(null);
  const [model, setModel] = useState('res.partner');
  const [operation, setOperation] = useState<Operation>('read');
  const [record, setRecord] = useState<Picked | null>(null);
  const id = useId();
  const report = useTrouble();
  const ask = useMutation({
    mutationFn: (subject: Picked) =>
      settingsCalls.explain({
        user: subject[0],
        model,
        operation,
        ...(record && operation !== 'create' ? { id: record[0] } : {}),
      }),
    onError: report,
  });
  return (
    <form
      className="explain-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (user) ask.mutate(user);
      }}
    >
      <div>
        <label className="form-label" htmlFor={`${id}-user`}>
          {t('User')}
        </label>
        <RecordPicker
          model="res.users"
          domain={[]}
          displayText={user?.[1] ?? ''}
          label={t('User')}
          input={{ id: `${id}-user`, className: 'form-control', required: true }}
          onPick={setUser}
          onClear={() => setUser(null)}
        />
      </div>
      <div>
        <label className="form-label" htmlFor={`${id}-operation`}>
          {t('Action')}
        </label>
        <select
          id={`${id}-operation`}
          className="form-select"
          value={operation}
          onChange={(event) => setOperation(event.target.value as Operation)}
        >
          {operations.map((choice) => (
            <option key={choice} value={choice}>
              {operationText(choice)}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label className="form-label" htmlFor={`${id}-model`}>
          {t('Model')}
        </label>
        <select
          id={`${id}-model`}
          className="form-select"
          value={model}
          onChange={(event) => {
            setModel(event.target.value);
            setRecord(null);
          }}
        >
          {models
            .toSorted((a, b) => a.label.localeCompare(b.label))
            .map((modelRights) => (
              <option key={modelRights.model} value={modelRights.model}>
                {modelRights.label} ({modelRights.model})
              </option>
            ))}
        </select>
      </div>
      {operation !== 'create' && (
        <div>
          <label className="form-label" htmlFor={`${id}-record`}>
            {t('Record (optional)')}
          </label>
          <RecordPicker
            key={model}
            model={model}
            domain={[]}
            displayText={record?.[1] ?? ''}
            label={t('Record (optional)')}
            input={{ id: `${id}-record`, className: 'form-control' }}
            onPick={setRecord}
            onClear={() => setRecord(null)}
          />
        </div>
      )}
      <div className="explain-ask">
        <button type="submit" className="btn btn-primary" disabled={!user || ask.isPending}>
          {t('Explain')}
        </button>
      </div>
      {ask.data && <Answer explanation={ask.data} />}
    </form>
  );
}

function Answer({ explanation }: { explanation: Explanation }) {
  const { allowed, exists, grants, rules, hiddenFields, groups } = explanation;
  const titles = new Map(groups.map((group: GroupTitle) => [group.code, group.title]));
  const title = (code: string): string => (code === '*' ? t('Everyone') : (titles.get(code) ?? code));
  const applicable = rules.filter(({ applies }) => applies);
  return (
    <div className="explain-answer" role="status" data-slot="explanation">
      <p className={`explain-verdict ${allowed ? 'well' : 'ill'}`}>
        <Icon name={allowed ? 'check-circle' : 'x-circle'} />{' '}
        {!exists
          ? t('This record doesn’t exist.')
          : allowed
            ? t('Yes, this is allowed.')
            : t('No, this is not allowed.')}
      </p>
      <h3 className="h6">{t('Groups with this right')}</h3>
      {grants.length === 0 && <p>{t('None. No one has this right.')}</p>}
      <ul>
        {grants.map(({ group, member }) => (
          <li key={group}>
            {title(group)}: {member ? <strong>{t('the user is a member')}</strong> : t('the user isn’t a member')}
          </li>
        ))}
      </ul>
      <h3 className="h6">{t('Record rules')}</h3>
      {applicable.length === 0 && <p>{t('None apply to this user: all records are allowed.')}</p>}
      <ul>
        {applicable.map((rule) => (
          <li key={rule.id}>
            <code>{rule.id}</code>{' '}
            {rule.groups.length === 0
              ? t('(for everyone, on top of the other rules)')
              : t('(one matching rule of the user’s groups is enough)')}
            {rule.covers !== null && (
              <>
                {': '}
                <strong>{rule.covers ? t('applies to the record') : t('doesn’t apply to the record')}</strong>
              </>
            )}
            <pre className="form-json">{JSON.stringify(rule.domain)}</pre>
          </li>
        ))}
      </ul>
      {hiddenFields.length > 0 && (
        <>
          <h3 className="h6">{t('Fields hidden from this user')}</h3>
          <ul>
            {hiddenFields.map(({ field, label, groups: seenBy }) => (
              <li key={field}>
                {label} <small className="text-body-secondary">({seenBy.map(title).join(', ')})</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
