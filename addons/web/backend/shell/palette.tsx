import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { t } from 'pergola/browser';
import { useDeferredValue, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Modal } from '../../kit/dialog.tsx';
import { isScreen, recordAddress } from '../lib/addresses.ts';
import { callRoute } from '../lib/call-route.ts';
import { Icon } from '../lib/icon.tsx';
import { menuAddress, menuLine, useStart } from '../lib/start.tsx';
import { settingAddress, settingsCalls } from '../settings/calls.ts';
import type { MenuEntry } from '../types.ts';
import { useThingsToDo } from './things-to-do.tsx';

/** Searches menus, records, settings and actions as the user types. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { menus, user } = useStart();
  const things = useThingsToDo();
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const navigate = useNavigate();
  const recordQuery = useQuery({
    queryKey: ['palette', query],
    queryFn: () => callRoute('/web/backend/search', { text: query }),
    enabled: query.length > 1,
    meta: { isQuiet: true },
    placeholderData: (previous) => previous,
  });
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: () => settingsCalls.settings({}),
    enabled: user.isAdmin && query.length > 1,
    meta: { isQuiet: true },
  });
  const places = menus.filter((menu) => menu.model || menu.url);
  // Enter opens the menu whose name matches, else the first record.
  const [first] = recordQuery.data ?? [];
  const place = query.length > 1 ? menuCalled(places, query) : null;
  const record = query.length > 1 && first?.records[0] ? recordValue(first.model, first.records[0], query) : '';
  const best = place ? menuValue(menus, place) : record;
  const [selected, setSelected] = useState('');
  useEffect(() => {
    if (best) setSelected(best);
  }, [best]);
  const go = (address: string): void => {
    onClose();
    if (isScreen(address)) void navigate(address);
    else location.assign(address);
  };
  const records = query.length > 1 ? (recordQuery.data ?? []) : [];
  return (
    <Modal className="backend-palette" aria-label={t('Search everything')} data-slot="palette" light onClose={onClose}>
      <Command label={t('Search everything')} loop filter={fitOf} value={selected} onValueChange={setSelected}>
        <div className="backend-palette-head">
          <Icon name="search" />
          <Command.Input autoFocus value={text} onValueChange={setText} placeholder={t('Menus, records, actions')} />
        </div>
        <Command.List label={t('Results')}>
          <Command.Empty>{recordQuery.isFetching ? t('Searching…') : t('No results.')}</Command.Empty>
          {things.length > 0 && (
            <Command.Group heading={t('On this screen')}>
              {things.map(({ id, label, icon, run }) => (
                <Command.Item
                  key={id}
                  value={`here ${id} ${label}`}
                  onSelect={() => {
                    onClose();
                    run();
                  }}
                >
                  <Icon name={icon} /> {label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading={t('Menus')}>
            {places.map((menu) => (
              <Command.Item
                key={menu.id}
                value={menuValue(menus, menu)}
                onSelect={() => go(menuAddress(menus, menu) ?? '/web')}
              >
                <Icon name={menuLine(menus, menu.id)[0]?.icon ?? 'app'} /> {pathOf(menus, menu)}
              </Command.Item>
            ))}
          </Command.Group>
          {records.map(({ model, label, records: matches }) => (
            <Command.Group key={model} heading={label}>
              {matches.map(([id, name]) => (
                <Command.Item
                  key={id}
                  value={recordValue(model, [id, name], query)}
                  onSelect={() => go(recordAddress(model, id))}
                >
                  <Icon name="file-earmark" /> {name}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
          {query.length > 1 && (
            <Command.Group heading={t('Settings')}>
              {(settings.data ?? []).map(({ name, section, label, help }) => (
                <Command.Item
                  key={name}
                  value={`setting ${name} ${section ?? ''} ${label} ${help ?? ''}`}
                  onSelect={() => go(settingAddress(name))}
                >
                  <Icon name="sliders" /> {section ? `${section} / ${label}` : label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading={t('Create')}>
            {creatable(menus).map((menu) => (
              <Command.Item
                key={menu.id}
                value={`new ${menu.id} ${t('New in {name}', { name: menu.label })}`}
                onSelect={() => go(recordAddress(menu.model ?? '', 'new', menu.id))}
              >
                <Icon name="plus-lg" /> {t('New in {name}', { name: menu.label })}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading={t('Account')}>
            <Command.Item onSelect={() => go('/my/account')}>
              <Icon name="person-gear" /> {t('My account and language')}
            </Command.Item>
            <Command.Item onSelect={() => go('/')}>
              <Icon name="globe" /> {t('Go to the website')}
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Modal>
  );
}

/**
 * Scores how well an entry matches: it must contain each typed word, and scores best where a word starts with it. Ignores accents and case.
 */
function fitOf(value: string, query: string): number {
  const text = ` ${fold(value)}`;
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  return words.every((word) => text.includes(` ${word}`)) ? 1 : 0.5;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Key of a record in the list. It includes the search text, so that it always matches. */
function recordValue(model: string, [id, name]: readonly [number, string], query: string): string {
  return `${model} ${id} ${name} ${query}`;
}

function menuValue(menus: readonly MenuEntry[], menu: MenuEntry): string {
  return `menu ${menu.id} ${pathOf(menus, menu)}`;
}

/** Returns the menu whose name starts with the text, else one with a word that does, or null. */
function menuCalled(places: readonly MenuEntry[], query: string): MenuEntry | null {
  return (
    places.find(({ label }) => fold(label).startsWith(fold(query))) ??
    places.find(({ label }) => fitOf(label, query) === 1) ??
    null
  );
}

function pathOf(menus: readonly MenuEntry[], menu: MenuEntry): string {
  return menuLine(menus, menu.id)
    .map(({ label }) => label)
    .join(' / ');
}

/** Returns one entry for each model in which the user may create records. */
function creatable(menus: readonly MenuEntry[]): readonly MenuEntry[] {
  return menus.filter(
    (menu, index) => menu.mayCreate && menus.findIndex(({ model }) => model === menu.model) === index,
  );
}
