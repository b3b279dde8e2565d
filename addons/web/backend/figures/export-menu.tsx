import { t } from 'pergola/browser';
import { callRoute } from '../lib/call-route.ts';
import { download, type FileFormat } from '../lib/download.ts';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { useTrouble } from '../lib/trouble.tsx';

/** The visible figures as a table: numbers as numbers, everything else as text. */
export interface ShownTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Menu that exports the visible figures to a file. */
export function ExportMenu({ title, table }: { title: string; table(): ShownTable }) {
  const report = useTrouble();
  const save = (format: FileFormat): void => {
    void callRoute('/web/backend/export/table', { title, format, ...table() }).then(
      (file) => download(file, format),
      report,
    );
  };
  return (
    <MenuButton
      label={
        <>
          <Icon name="download" /> {t('Export')}
        </>
      }
      slot="export-shown"
      end
    >
      <button type="button" className="dropdown-item" onClick={() => save('xlsx')}>
        {t('Excel (.xlsx)')}
      </button>
      <button type="button" className="dropdown-item" onClick={() => save('csv')}>
        {t('CSV (.csv)')}
      </button>
    </MenuButton>
  );
}
