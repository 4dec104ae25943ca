/** @typedef {import('./measure.mjs').Row} Row */

const WIDTH = 860;
const LABEL = 380;
const LINE = 26;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * Bars of each path as a share of its target: what ends left of the line is within it.
 * @param {string} title
 * @param {Row[]} rows
 * @returns {string} an SVG document
 */
export function plot(title, rows) {
  const room = WIDTH - LABEL - 120;
  const greatest = Math.max(1.25, ...rows.map((row) => row.median / row.target));
  const at = (/** @type {number} */ share) => LABEL + (share / greatest) * room;
  const height = 50 + rows.length * LINE;
  const bars = rows.map((row, i) => {
    const share = row.median / row.target;
    const y = 40 + i * LINE;
    return [
      `<text x="${LABEL - 10}" y="${y + 13}" text-anchor="end">${escaped(row.path)}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${(at(share) - LABEL).toFixed(1)}" height="17" fill="${share <= 1 ? '#3a7d5c' : '#b3412f'}"/>`,
      `<text x="${at(share) + 6}" y="${y + 13}">${row.median.toFixed(2)} ${row.unit} / ${row.target}</text>`,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="10" y="22" font-size="15">${escaped(title)}: median as a share of its target</text>`,
    ...bars,
    `<line x1="${at(1)}" x2="${at(1)}" y1="32" y2="${height - 8}" stroke="#222" stroke-dasharray="4 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}
