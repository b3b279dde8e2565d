import { Check } from '@pergola/web/kit';
import { Dialog } from '@pergola/web/kit-dialog';
import { t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import { previewOf } from '../dom/preview.ts';

const widths = { phone: 360, tablet: 768, desktop: 1280 } as const;
type Device = keyof typeof widths;

/** Current page on a phone, a tablet and a wide screen. */
export function PreviewDialog({ onClose }: { onClose(): void }) {
  const [html] = useState(() => previewOf(document));
  const [device, setDevice] = useState<Device>('phone');
  const [scale, setScale] = useState(1);
  const screen = useRef<HTMLDivElement>(null);
  // Scales down screens wider than the dialog.
  useEffect(() => {
    const room = screen.current?.clientWidth ?? 0;
    setScale(room > 0 ? Math.min(1, room / widths[device]) : 1);
  }, [device]);
  const labels: Record<Device, string> = { phone: t('Phone'), tablet: t('Tablet'), desktop: t('Desktop') };
  return (
    <Dialog title={t('Preview')} wide light className="ed-preview-dialog" onClose={onClose}>
      <fieldset className="ed-devices">
        <legend className="visually-hidden">{t('Device')}</legend>
        {(Object.keys(widths) as Device[]).map((name) => (
          <Check
            key={name}
            type="radio"
            wrap={name === device ? 'ed-chosen' : ''}
            className="visually-hidden"
            name="ed-device"
            label={labels[name]}
            checked={name === device}
            onChange={() => setDevice(name)}
          />
        ))}
      </fieldset>
      <div ref={screen} className="ed-screen">
        {/* Scripts are disabled in the preview. */}
        <iframe
          key={device}
          title={labels[device]}
          srcDoc={html}
          sandbox="allow-same-origin"
          style={{ width: widths[device], height: `${100 / scale}%`, scale }}
        />
      </div>
    </Dialog>
  );
}
