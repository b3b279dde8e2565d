import { Picture } from '../../kit/picture.tsx';
import type { ShowProps } from './registry.tsx';

/** Thumbnail of a record's image. */
export function ImageShow({ value, field, record, model }: ShowProps) {
  if (!value) return null;
  const stamp = typeof record.write_date === 'string' ? `&unique=${encodeURIComponent(record.write_date)}` : '';
  const source = `/web/binary/image?model=${model}&field=${field.name}&id=${String(record.id)}&resize=64,64${stamp}`;
  return <Picture className="backend-thumb" src={source} alt="" width={32} height={32} />;
}
