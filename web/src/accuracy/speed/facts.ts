import { type PackedSpeed, type Point, unpack } from './packed';

// Every measured speed, as tests/accuracy.sh left them and web/plugins/speed-facts.ts packed them.

const files = import.meta.glob<PackedSpeed>('../../../../core/data/accuracy/speed.json', {
  import: 'default',
});

export interface Speed extends Pick<PackedSpeed, 'rows' | 'left_out' | 'summary'> {
  points: Point[];
}

export const speedOf = (packed: PackedSpeed): Speed => ({ ...packed, points: unpack(packed) });

export async function loadSpeed(): Promise<Speed> {
  const [packed] = await Promise.all(Object.values(files).map((file) => file()));
  if (!packed) throw new Error('no measured speeds in this build');
  return speedOf(packed);
}
