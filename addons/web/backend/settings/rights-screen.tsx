import { useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useDeferredValue, useState } from 'react';
import { SearchBox } from '../lib/search-box.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type GroupTitle, type Operation, type Rights, settingsCalls } from './calls.ts';
import { ExplainForm } from './explain-form.tsx';
import { operationText } from './parts.tsx';

const letters: readonly (readonly [Operation, string])[] = [
  ['read', 'R'],
  ['write', 'W'],
  ['create', 'C'],
  ['unlink', 'D'],
];

/** Access rights by group, and an explanation of a user's rights. */
export function RightsScreen() {
  const { data } = useSuspenseQuery({
    queryKey: ['rights'],
    queryFn: () => settingsCalls.rights({}),
    staleTime: 60_000,
  });
  const [text, setText] = useState('');
  const [group, setGroup] = useState('');
  const query = useDeferredValue(text).trim().toLowerCase();
  const models = data.models.filter(({ model, label }) => `${model} ${label}`.toLowerCase().includes(query));
  return (
    <>
      <Crumbs current={t('Access rights')} />
      <section className="settings-section" aria-labelledby="explain-title">
        <h2 className="h5" id="explain-title">
          {t('Why can (or can’t) someone do this?')}
        </h2>
        <ExplainForm models={data.models} />
      </section>
      <section className="settings-section" aria-labelledby="matrix-title">
        <h2 className="h5" id="matrix-title">
          {t('Rights by group')}
        </h2>
        <div className="settings-tools">
          <SearchBox label={t('Search models')} value={text} onChange={setText} />
          <select
            className="form-select"
            aria-label={t('Group')}
            value={group}
            onChange={(event) => setGroup(event.target.value)}
          >
            <option value="">{t('All groups')}</option>
            {data.groups.map(({ code, title }) => (
              <option key={code} value={code}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <p className="form-text">
          {letters.map(([operation, letter]) => `${letter}: ${operationText(operation)}`).join(' · ')}
        </p>
        <Matrix data={data} models={models} group={group} />
      </section>
    </>
  );
}

function Matrix({ data, models, group }: { data: Rights; models: Rights['models']; group: string }) {
  const titles = new Map(data.groups.map(({ code, title }) => [code, title]));
  const members = group === '' ? null : new Set([group, '*', ...impliedBy(data.groups, group)]);
  return (
    <ul className="rights-models">
      {models.map(({ model, label, addon, rights, rules }) => {
        const visible = rights.filter((line) => members === null || members.has(line.group));
        return (
          <li key={model}>
            <details>
              <summary>
                <strong>{label}</strong>{' '}
                <small className="text-body-secondary" translate="no">
                  {model} · {addon}
                </small>
                <span className="rights-sum">{sumOf(visible)}</span>
              </summary>
              {visible.length === 0 ? (
                <p className="mb-1">{t('This group has no rights here.')}</p>
              ) : (
                <table className="table table-sm rights-table">
                  <caption className="visually-hidden">{label}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t('Group')}</th>
                      {letters.map(([operation]) => (
                        <th key={operation} scope="col">
                          {operationText(operation)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {visible.map((line) => (
                      <tr key={line.group}>
                        <th scope="row">
                          {line.group === '*' ? t('Everyone') : (titles.get(line.group) ?? line.group)}
                        </th>
                        {letters.map(([operation]) => (
                          <td key={operation}>{line.operations.includes(operation) ? t('yes') : '–'}</td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
              {rules.length > 0 && (
                <ul className="rights-rules">
                  {rules.map((rule) => (
                    <li key={rule.id}>
                      <code>{rule.id}</code>{' '}
                      {rule.groups.length === 0
                        ? t('limits everyone')
                        : t('for {groups}', {
                            groups: rule.groups.map((code) => titles.get(code) ?? code).join(', '),
                          })}{' '}
                      ({rule.operations.map(operationText).join(', ')})
                    </li>
                  ))}
                </ul>
              )}
            </details>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the groups that a group implies. */
function impliedBy(groups: readonly GroupTitle[], code: string): readonly string[] {
  const codes = new Set<string>();
  const add = (code: string): void => {
    for (const implied of groups.find((group) => group.code === code)?.implied ?? []) {
      if (codes.has(implied)) continue;
      codes.add(implied);
      add(implied);
    }
  };
  add(code);
  return [...codes];
}

function sumOf(lines: readonly { readonly operations: readonly Operation[] }[]): string {
  return letters
    .filter(([operation]) => lines.some(({ operations }) => operations.includes(operation)))
    .map(([, letter]) => letter)
    .join(' ');
}
