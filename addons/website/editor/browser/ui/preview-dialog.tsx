import { useState } from 'react';
import { Dialog } from '#addons/web/kit';
import { t } from '#core/browser';
import { previewOf } from '../dom/preview.ts';

const widths = { phone: 360, tablet: 768, desktop: 1280 } as const;
type Device = keyof typeof widths;

/** The page as it is now, on a phone, a tablet and a wide screen. */
export function PreviewDialog({ onClose }: { onClose(): void }) {
  const [html] = useState(() => previewOf(document));
  const [device, setDevice] = useState<Device>('phone');
  const labels: Record<Device, string> = { phone: t('Phone'), tablet: t('Tablet'), desktop: t('Wide screen') };
  return (
    <Dialog title={t('Preview')} wide light className="ed-preview-dialog" onClose={onClose}>
      <fieldset className="ed-devices">
        <legend className="visually-hidden">{t('Device')}</legend>
        {(Object.keys(widths) as Device[]).map((name) => (
          <label key={name} className={name === device ? 'ed-chosen' : ''}>
            <input
              type="radio"
              className="visually-hidden"
              name="ed-device"
              checked={name === device}
              onChange={() => setDevice(name)}
            />
            {labels[name]}
          </label>
        ))}
      </fieldset>
      <div className="ed-screen">
        {/* Nothing in it runs: it is looked at. */}
        <iframe
          key={device}
          title={labels[device]}
          srcDoc={html}
          sandbox="allow-same-origin"
          style={{ width: widths[device] }}
        />
      </div>
    </Dialog>
  );
}
