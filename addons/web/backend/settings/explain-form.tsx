import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { type FormEvent, useState } from 'react';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Field, SelectField } from '../../kit/field.tsx';
import { type Picked, RecordPicker } from '../fields/record-picker.tsx';
import { Icon } from '../lib/icon.tsx';
import { type Explanation, type GroupTitle, type Operation, type Rights, settingsCalls } from './calls.ts';
import { operationText } from './parts.tsx';

const operations: readonly Operation[] = ['read', 'write', 'create', 'unlink'];

/** Form that takes a user, an operation and a record, and shows the access lists and rules that decide. */
export function ExplainForm({ models }: { models: Rights['models'] }) {
  const [user, setUser] = useState<Picked | null>(null);
  const [model, setModel] = useState('res.partner');
  const [operation, setOperation] = useState<Operation>('read');
  const [record, setRecord] = useState<Picked | null>(null);
  const ask = useMutation({
    mutationFn: (subject: Picked) =>
      settingsCalls.explain({
        user: subject[0],
        model,
        operation,
        ...(record && operation !== 'create' ? { id: record[0] } : {}),
      }),
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
      <Field wrap="" label={t('User')}>
        {(control) => (
          <RecordPicker
            model="res.users"
            domain={[]}
            displayText={user?.[1] ?? ''}
            label={t('User')}
            input={{ ...control, required: true }}
            onPick={setUser}
            onClear={() => setUser(null)}
          />
        )}
      </Field>
      <SelectField
        wrap=""
        label={t('Action')}
        value={operation}
        onChange={setOperation}
        choices={operations.map((value) => ({ value, label: operationText(value) }))}
      />
      <SelectField
        wrap=""
        label={t('Model')}
        value={model}
        onChange={(next) => {
          setModel(next);
          setRecord(null);
        }}
        choices={models
          .toSorted((a, b) => a.label.localeCompare(b.label))
          .map(({ model, label }) => ({ value: model, label: `${label} (${model})` }))}
      />
      {operation !== 'create' && (
        <Field wrap="" label={t('Record (optional)')}>
          {(control) => (
            <RecordPicker
              key={model}
              model={model}
              domain={[]}
              displayText={record?.[1] ?? ''}
              label={t('Record (optional)')}
              input={control}
              onPick={setRecord}
              onClear={() => setRecord(null)}
            />
          )}
        </Field>
      )}
      <div className="explain-ask">
        <BusyButton disabled={!user} busy={ask.isPending}>
          {t('Explain')}
        </BusyButton>
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
