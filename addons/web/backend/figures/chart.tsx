import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ChartKind } from '../types.ts';
import { commonCurrency } from './series.ts';

Chart.register(
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
);

/** Distinguishable with colour blindness (Okabe and Ito), in light and dark mode. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a63d2', '#8a8f98'];

interface Props {
  readonly kind: ChartKind;
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly label: string;
    readonly currency: string | null;
    readonly values: readonly (number | null)[];
  }[];
  readonly stacked?: boolean;
  /** Accessible name of the chart; its figures are in a table next to it. */
  readonly label: string;
  /** Formats a value; amounts in their currency. */
  format(value: number, currency: string | null): string;
  /** Opens the records of a point on the axis. */
  onPoint?(index: number): void;
  /** Hides axes and legend. */
  readonly small?: boolean;
}

/** Chart drawn by Chart.js in the page's colours. */
export default function FiguresChart(props: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  const { kind, labels, series, stacked = false, small = false, label, format, onPoint } = props;
  const stamp = JSON.stringify([kind, labels, series, stacked, small]);
  // Callbacks of the chart use the latest props without redrawing it.
  const callbacks = useRef({ format, onPoint });
  callbacks.current = { format, onPoint };
  // biome-ignore lint/correctness/useExhaustiveDependencies: redraws when the text of the figures or the colour scheme changes
  useEffect(() => {
    if (!canvas.current) return;
    const chart = new Chart(
      canvas.current,
      configOf({ kind, labels, series, stacked, small }, callbacks, canvas.current),
    );
    return () => chart.destroy();
  }, [stamp, isDark]);
  return (
    <div className={`figures-chart${small ? ' small' : ''}`}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}

type Drawn = Required<Pick<Props, 'kind' | 'labels' | 'series' | 'stacked' | 'small'>>;

function configOf(
  { kind, labels, series, stacked, small }: Drawn,
  callbacks: { readonly current: Pick<Props, 'format' | 'onPoint'> },
  canvas: HTMLCanvasElement,
): ChartConfiguration {
  const style = getComputedStyle(canvas);
  Chart.defaults.font.family = style.fontFamily;
  const [ink, grid] = [style.color, style.getPropertyValue('--bs-border-color')];
  const color = (index: number): string => COLORS[index % COLORS.length] ?? ink;
  const ofAxis = commonCurrency(series);
  const axis = { stacked: stacked && kind === 'bar', display: !small, ticks: { color: ink }, grid: { color: grid } };
  return {
    type: kind,
    data: {
      labels: [...labels],
      datasets: series.map(({ label, currency, values }, index) => ({
        label,
        // Amounts of different currencies don't add up, so their bars aren't stacked.
        ...(kind === 'bar' ? { stack: currency ?? '' } : {}),
        data: [...values],
        backgroundColor: kind === 'pie' ? labels.map((_, part) => color(part)) : color(index),
        borderColor: kind === 'pie' ? style.getPropertyValue('--bs-body-bg') : color(index),
        borderWidth: kind === 'bar' ? 0 : 2,
        pointRadius: 3,
        tension: 0.2,
        maxBarThickness: 64,
      })),
    },
    options: {
      maintainAspectRatio: false,
      animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? false : { duration: 250 },
      interaction: { mode: kind === 'pie' ? 'nearest' : 'index', intersect: kind === 'pie' },
      onClick: (_event, [hit]) => hit && callbacks.current.onPoint?.(hit.index),
      onHover: (_event, hits) => {
        canvas.style.cursor = hits.length > 0 && callbacks.current.onPoint ? 'pointer' : '';
      },
      plugins: {
        legend: {
          display: !small && (kind === 'pie' || series.length > 1),
          position: 'bottom',
          labels: { color: ink },
        },
        tooltip: {
          enabled: !small,
          callbacks: {
            label: ({ raw, datasetIndex, dataset }) =>
              `${dataset.label}: ${callbacks.current.format(Number(raw), series[datasetIndex]?.currency ?? null)}`,
          },
        },
      },
      ...(kind === 'pie'
        ? {}
        : {
            scales: {
              x: axis,
              y: {
                ...axis,
                beginAtZero: true,
                ticks: { color: ink, callback: (value) => callbacks.current.format(Number(value), ofAxis) },
              },
            },
          }),
    },
  };
}

const DARK = '(prefers-color-scheme: dark)';

function useDark(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(DARK);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(DARK).matches,
  );
}
