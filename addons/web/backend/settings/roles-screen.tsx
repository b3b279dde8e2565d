import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { type FormEvent, useDeferredValue, useState } from 'react';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Check, TextField } from '../../kit/field.tsx';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { Icon } from '../lib/icon.tsx';
import { SearchBox } from '../lib/search-box.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type Operation, type Roles, type ShownRole, settingsCalls } from './calls.ts';
import { ExplainForm } from './explain-form.tsx';
import { operationText } from './parts.tsx';

const key = ['roles'];
const letters: readonly (readonly [string, Operation])[] = [
  ['r', 'read'],
  ['w', 'write'],
  ['c', 'create'],
  ['d', 'unlink'],
];
type Draft = Omit<ShownRole, 'id' | 'users'> & { readonly id: number | null };
const emptyDraft: Draft = { id: null, name: '', rights: {}, implied: [] };

/** Roles: custom groups of the site, each a selection of models and operations, with an explanation of a user's rights. */
export function RolesScreen() {
  const { data } = useSuspenseQuery({ queryKey: key, queryFn: () => settingsCalls.roles({}) });
  const { data: rights } = useSuspenseQuery({
    queryKey: ['rights'],
    queryFn: () => settingsCalls.rights({}),
    staleTime: 60_000,
  });
  const [selected, setSelected] = useState<Draft | null>(null);
  return (
    <>
      <Crumbs current={t('Roles')} />
      <section className="settings-section" aria-labelledby="roles-title">
        <h2 className="h5" id="roles-title">
          {t('Custom roles')}
        </h2>
        <p className="form-text">
          {t(
            'A role is a group whose rights you choose. Assign it to users on their form. You can only grant rights you have yourself. Rights you remove from a role are removed from its members at once.',
          )}
        </p>
        <ul className="roles-list">
          {data.roles.map((role) => (
            <li key={role.id}>
              <button
                type="button"
                className="btn btn-outline-secondary"
                aria-pressed={selected?.id === role.id}
                onClick={() => setSelected(role)}
              >
                {role.name} <span className="apps-count">{role.users}</span>
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="btn btn-primary" onClick={() => setSelected(emptyDraft)}>
              <Icon name="plus-lg" /> {t('New role')}
            </button>
          </li>
        </ul>
        {selected && (
          <RoleForm key={selected.id ?? 'new'} role={selected} all={data} onDone={() => setSelected(null)} />
        )}
      </section>
      <section className="settings-section" aria-labelledby="explain-title">
        <h2 className="h5" id="explain-title">
          {t('Why can (or can’t) someone do this?')}
        </h2>
        <ExplainForm models={rights.models} />
      </section>
    </>
  );
}

function RoleForm({ role, all, onDone }: { role: Draft; all: Roles; onDone(): void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(role);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(role);
  const done = async (text: string): Promise<void> => {
    notify(text);
    onDone();
    await Promise.all([key, ['rights']].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const save = useMutation({
    mutationFn: () => {
      const { id: roleId, name, rights, implied } = draft;
      return settingsCalls.saveRole({ id: roleId, name, rights, implied });
    },
    onSuccess: () => done(t('Saved.')),
  });
  const remove = useMutation({
    mutationFn: async (roleId: number) => {
      const question = t('Permanently delete the role “{name}”? All members will lose it.', { name: role.name });
      return (await confirmDialog(question, { yes: t('Delete') })) && settingsCalls.deleteRole({ id: roleId });
    },
    onSuccess: (isGone) => (isGone ? done(t('Deleted.')) : undefined),
  });
  const { id: roleId } = draft;
  return (
    <form
      className="role-form"
      data-slot="role"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <LeaveGuard isDirty={isDirty && !save.isSuccess && !remove.isSuccess} />
      <TextField
        label={t('Name')}
        value={draft.name}
        autoFocus={role.id === null}
        required
        maxLength={80}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <fieldset className="role-groups">
        <legend className="form-label">{t('Inherited groups')}</legend>
        {all.groups.map((group) => (
          <Check
            key={group.id}
            label={group.title}
            checked={draft.implied.includes(group.id)}
            disabled={!group.own && !role.implied.includes(group.id)}
            onChange={(checked) => {
              const otherIds = draft.implied.filter((groupId) => groupId !== group.id);
              setDraft({ ...draft, implied: checked ? [...otherIds, group.id] : otherIds });
            }}
          />
        ))}
      </fieldset>
      <Matrix
        savedRights={role.rights}
        rights={draft.rights}
        models={all.models}
        onChange={(rights) => setDraft({ ...draft, rights })}
      />
      <div className="settings-foot">
        <BusyButton disabled={!isDirty} busy={save.isPending}>
          {t('Save')}
        </BusyButton>
        <button type="button" className="btn btn-outline-secondary" onClick={onDone}>
          {t('Cancel')}
        </button>
        {roleId !== null && (
          <button type="button" className="btn btn-outline-danger" onClick={() => remove.mutate(roleId)}>
            {t('Delete')}
          </button>
        )}
      </div>
    </form>
  );
}

/** Models as rows, operations as columns. Administrators can't tick rights they lack themselves, only untick them. */
function Matrix({
  savedRights,
  rights,
  models,
  onChange,
}: {
  savedRights: ShownRole['rights'];
  rights: ShownRole['rights'];
  models: Roles['models'];
  onChange(rights: ShownRole['rights']): void;
}) {
  const [text, setText] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const query = useDeferredValue(text).trim().toLowerCase();
  const visible = models
    .filter(({ model, own: grantable }) => grantable.length > 0 || (rights[model] ?? '') !== '')
    .filter(({ model, label }) => `${model} ${label}`.toLowerCase().includes(query))
    .filter(({ model }) => !onlyChosen || (rights[model] ?? '') !== '')
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const toggle = (model: string, letter: string, isOn: boolean): void => {
    const otherLetters = (rights[model] ?? '').replace(letter, '');
    onChange({ ...rights, [model]: isOn ? otherLetters + letter : otherLetters });
  };
  return (
    <fieldset className="role-matrix">
      <legend className="form-label">{t('Rights')}</legend>
      <div className="settings-tools">
        <SearchBox label={t('Search models')} value={text} onChange={setText} />
        <Check label={t('Only selected rights')} checked={onlyChosen} onChange={setOnlyChosen} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes the scrollable area reachable by keyboard */}
      <section className="role-scroll" aria-label={t('Rights')} tabIndex={0}>
        <table className="table table-sm rights-table">
          <thead>
            <tr>
              <th scope="col">{t('Model')}</th>
              {letters.map(([letter, operation]) => (
                <th key={letter} scope="col">
                  {operationText(operation)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map(({ model, label, own: grantable }) => (
              <tr key={model}>
                <th scope="row">
                  {label}{' '}
                  <small className="text-body-secondary" translate="no">
                    {model}
                  </small>
                </th>
                {letters.map(([letter, operation]) => (
                  <td key={letter}>
                    <input
                      type="checkbox"
                      className="form-check-input"
                      aria-label={t('{model}: {right}', { model: label, right: operationText(operation) })}
                      checked={(rights[model] ?? '').includes(letter)}
                      disabled={!grantable.includes(operation) && !(savedRights[model] ?? '').includes(letter)}
                      onChange={(event) => toggle(model, letter, event.target.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </fieldset>
  );
}
