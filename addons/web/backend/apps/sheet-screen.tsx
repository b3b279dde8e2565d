import { useSuspenseQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useParams } from 'react-router';
import { Crumbs } from '../shell/crumbs.tsx';
import { appKeys, fetchSheet } from './calls.ts';
import { SheetGroups } from './sheet-groups.tsx';

/** Capability sheet of an app, derived from its source. */
export function SheetScreen() {
  const { name = '' } = useParams();
  const { data } = useSuspenseQuery({
    queryKey: [...appKeys.list, 'sheet', name],
    queryFn: () => fetchSheet(name),
    staleTime: 60_000,
  });
  return (
    <div className="apps-plan" data-slot="app-sheet">
      <Crumbs current={t('What {title} can do', { title: data.title })} />
      <p>{t('Derived from the code of version {version}, without running it.', { version: data.version })}</p>
      <SheetGroups groups={data.groups} />
    </div>
  );
}
