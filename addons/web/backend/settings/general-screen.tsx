import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Field } from '../../kit/field.tsx';
import { isUnreadable } from '../fields/wire.ts';
import { LeaveGuard } from '../form/leave-guard.tsx';
import { listAddress } from '../lib/addresses.ts';
import { Icon } from '../lib/icon.tsx';
import { menuAddress, useStart } from '../lib/start.tsx';
import { fieldErrorsOf } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type ShownSetting, settingsCalls } from './calls.ts';
import { SettingInput } from './setting-input.tsx';

const key = ['settings'];

/** Settings declared by addons, by section, with links to records that act as settings. */
export function GeneralScreen() {
  const { data } = useSuspenseQuery({ queryKey: key, queryFn: () => settingsCalls.settings({}) });
  const client = useQueryClient();
  const [edits, setEdits] = useState<Readonly<Record<string, unknown>>>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const isDirty = Object.keys(edits).length > 0;
  const save = useMutation({
    mutationFn: () => settingsCalls.change({ values: edits }),
    onSuccess: (settings) => {
      client.setQueryData(key, settings);
      setEdits({});
      setFaults({});
      notify(t('Saved.'));
    },
    onError: (error) => setFaults(fieldErrorsOf(error)),
    meta: { hasFields: true },
  });
  const sections = Map.groupBy(data, ({ section }) => section ?? t('Other'));
  return (
    <>
      <Crumbs current={t('General settings')} />
      <Shortcuts />
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!Object.values(edits).some(isUnreadable)) save.mutate();
        }}
      >
        {[...sections].map(([section, settings]) => (
          <fieldset key={section} className="settings-section">
            <legend>{section}</legend>
            {settings.map((setting) => (
              <SettingRow
                key={setting.name}
                setting={setting}
                value={Object.hasOwn(edits, setting.name) ? edits[setting.name] : setting.value}
                fault={faults[setting.name] ?? ''}
                onChange={(value) => setEdits({ ...edits, [setting.name]: value })}
                onReset={() => setEdits({ ...edits, [setting.name]: setting.fallback })}
              />
            ))}
          </fieldset>
        ))}
        {data.length === 0 && <p>{t('No settings available.')}</p>}
        <p className="settings-foot">
          <BusyButton disabled={!isDirty} busy={save.isPending}>
            {t('Save')}
          </BusyButton>
          {isDirty && (
            <button
              type="button"
              className="btn btn-outline-secondary"
              onClick={() => {
                setEdits({});
                setFaults({});
              }}
            >
              {t('Discard')}
            </button>
          )}
        </p>
        <LeaveGuard isDirty={isDirty && !save.isPending} />
      </form>
    </>
  );
}

/** Links to lists of websites, languages, users and other records that are settings. */
function Shortcuts() {
  const { menus } = useStart();
  const models = ['website', 'res.lang', 'res.users', 'res.groups', 'res.company', 'res.currency'];
  const entries = models.flatMap((model) => menus.find((menu) => menu.model === model) ?? []);
  return (
    <ul className="settings-shortcuts" aria-label={t('Related settings')}>
      {entries.map((menu) => (
        <li key={menu.id}>
          <Link
            className="btn btn-sm btn-outline-secondary"
            to={menuAddress(menus, menu) ?? listAddress(menu.model ?? '')}
          >
            {menu.label} <Icon name="arrow-right" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function SettingRow({
  setting,
  value,
  fault,
  onChange,
  onReset,
}: {
  setting: ShownSetting;
  value: unknown;
  fault: string;
  onChange(value: unknown): void;
  onReset(): void;
}) {
  const row = useWanted(setting.name);
  const { label, help, secret, isSet, name } = setting;
  return (
    <div data-setting={name} ref={row}>
      <Field wrap="settings-row" label={label} help={help} error={fault}>
        {(control) => <SettingInput setting={setting} control={control} value={value} onChange={onChange} />}
      </Field>
      {secret && isSet && (
        <p className="form-text">{t('A value is saved but hidden. Enter a new one to replace it.')}</p>
      )}
      {isSet && !secret && (
        <button
          type="button"
          className="btn btn-sm btn-link px-0"
          onClick={onReset}
          aria-label={t('{action}: {name}', { action: t('Reset to default'), name: label })}
        >
          {t('Reset to default')}
        </button>
      )}
    </div>
  );
}

/** Scrolls to the setting named in the address and focuses its input. */
function useWanted(name: string) {
  const row = useRef<HTMLDivElement>(null);
  const [query] = useSearchParams();
  const isWanted = query.get('setting') === name;
  useEffect(() => {
    if (!isWanted) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
  }, [isWanted]);
  return row;
}
