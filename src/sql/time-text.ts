const DAY = 86_400_000;

const padded = (count: number, width: number): readonly string[] =>
  Array.from({ length: count }, (_, value) => String(value).padStart(width, '0'));

const TWO = padded(60, 2);
const THREE = padded(1000, 3);

let day = Number.NaN;
let date = '';

/**
 * A moment as `YYYY-MM-DD`, what is between, and `HH:MM:SS.mmm`, in UTC. The rows of a batch are mostly of one day, of
 * which the date is written once: `toISOString` for each showed beside the JSON of its row.
 */
export function timeText(ms: number, between: string): string {
  const its = Math.floor(ms / DAY);
  if (its !== day) {
    date = new Date(its * DAY).toISOString().slice(0, -14);
    day = its;
  }
  const rest = ms - its * DAY;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${date}${between}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${THREE[rest % 1000]}`;
}
