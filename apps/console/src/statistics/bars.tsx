/** One bar: what it is, how much, and the number as a person reads it. */
export interface Bar {
  label: string;
  value: number;
  text: string;
}

interface BarsProps {
  title: string;
  bars: readonly Bar[];
}

/** In the units of the drawing, which is as wide as its place. */
const WIDTH = 320;
const ROW = 26;
const LABEL = 112;
const NUMBER = 72;

/** Bars next to each other. The numbers are written next to them, so that nothing is said by length or colour alone. */
export function Bars({ title, bars }: BarsProps) {
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  const room = WIDTH - LABEL - NUMBER;
  return (
    <svg
      class="bars"
      role="img"
      aria-label={`${title}: ${bars.map(({ label, text }) => `${label} ${text}`).join(', ')}`}
      viewBox={`0 0 ${WIDTH} ${bars.length * ROW}`}
    >
      {bars.map(({ label, value, text }, n) => {
        const width = Math.max(value > 0 ? 2 : 0, (value / longest) * room);
        return (
          <g key={label} transform={`translate(0 ${n * ROW})`}>
            <text x="0" y={ROW / 2} dominant-baseline="middle">
              {label}
            </text>
            <rect x={LABEL} y="5" width={width} height={ROW - 10} rx="2" />
            <text x={LABEL + width + 6} y={ROW / 2} dominant-baseline="middle">
              {text}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
