import { t } from 'pergola/browser';
import { useEffect, useRef } from 'react';
import { NavLink, Route, Routes, useLocation } from 'react-router';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { BackupsScreen } from './backups-screen.tsx';
import { ChangesScreen } from './changes-screen.tsx';
import { GeneralScreen } from './general-screen.tsx';
import { HealthScreen } from './health-screen.tsx';
import { JobsScreen } from './jobs-screen.tsx';
import { MailServerScreen } from './mail-server-screen.tsx';
import { MailTextsScreen } from './mail-texts-screen.tsx';
import { MailsScreen } from './mails-screen.tsx';
import { RightsScreen } from './rights-screen.tsx';
import { RolesScreen } from './roles-screen.tsx';
import { SessionsScreen } from './sessions-screen.tsx';
import { TranslationsScreen } from './translations-screen.tsx';

/** Screens for administrators, besides records. */
export function SettingsScreens() {
  const { user } = useStart();
  const mayManage = user.groups.includes('base.group_erp_manager');
  if (!mayManage) return <NotFound />;
  return (
    <div className="settings" data-slot="settings">
      <SettingsNav isAdmin={user.isAdmin} />
      <div className="settings-main">
        <Routes>
          {user.isAdmin && (
            <>
              <Route index element={<GeneralScreen />} />
              <Route path="translations" element={<TranslationsScreen />} />
              <Route path="mail-server" element={<MailServerScreen />} />
              <Route path="mail-texts" element={<MailTextsScreen />} />
              <Route path="mails" element={<MailsScreen />} />
              <Route path="jobs" element={<JobsScreen />} />
              <Route path="backups" element={<BackupsScreen />} />
              <Route path="changes" element={<ChangesScreen />} />
              <Route path="sessions" element={<SessionsScreen />} />
              <Route path="health" element={<HealthScreen />} />
            </>
          )}
          {!user.isAdmin && <Route index element={<RightsScreen />} />}
          <Route path="rights" element={<RightsScreen />} />
          <Route path="roles" element={<RolesScreen />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </div>
    </div>
  );
}

function SettingsNav({ isAdmin }: { isAdmin: boolean }) {
  const screens = [
    { to: '/web/settings', icon: 'sliders', label: t('General settings'), end: true, all: false },
    { to: '/web/settings/rights', icon: 'shield-lock', label: t('Access rights'), end: false, all: true },
    { to: '/web/settings/roles', icon: 'person-badge', label: t('Roles'), end: false, all: true },
    { to: '/web/settings/translations', icon: 'translate', label: t('Translations'), end: false, all: false },
    { to: '/web/settings/mail-server', icon: 'send', label: t('Mail server'), end: false, all: false },
    { to: '/web/settings/mail-texts', icon: 'type', label: t('Email templates'), end: false, all: false },
    { to: '/web/settings/mails', icon: 'envelope', label: t('Outgoing emails'), end: false, all: false },
    { to: '/web/settings/jobs', icon: 'cpu', label: t('Jobs'), end: false, all: false },
    { to: '/web/settings/backups', icon: 'database', label: t('Backups'), end: false, all: false },
    { to: '/web/settings/changes', icon: 'clock-history', label: t('Changes'), end: false, all: false },
    { to: '/web/settings/sessions', icon: 'key', label: t('Sessions'), end: false, all: false },
    { to: '/web/settings/health', icon: 'heart-pulse', label: t('System status'), end: false, all: false },
  ];
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  // On phones the list scrolls horizontally: keeps the active entry visible.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active entry depends on the address
  useEffect(() => {
    const [row, active] = [list.current, list.current?.querySelector<HTMLElement>('.active')];
    if (row && active) row.scrollLeft = active.offsetLeft - (row.clientWidth - active.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav className="settings-nav" aria-label={t('Settings')}>
      <ul ref={list}>
        {screens
          .filter(({ all }) => isAdmin || all)
          .map(({ to, icon, label, end }) => (
            <li key={to}>
              <NavLink to={to} end={end}>
                <Icon name={icon} /> {label}
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  );
}
