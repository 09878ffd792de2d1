const COLUMNS = [
  'target',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'database CPU µs',
  'RSS MB',
  'start ms',
  '× CPU',
  '× requests/s',
  'p50 ÷'
]

/**
 * The rows of a workload as a Markdown table.
 * @param {string} title
 * @param {import('../rows.js').Row[]} rows
 * @returns {string}
 */
export function rowsTable (title, rows) {
  const failures = rows
    .filter(({ failure }) => failure !== undefined)
    .map(({ target, failure }) => `\n${target} FAILED: ${failure.replace(/\s+/g, ' ')}`)
  return [table(title, COLUMNS, rows.map(cells)), ...rows.filter(varies).map(roundsOf), ...failures].join('\n')
}

/** Ratio of two rounds above which a median hides something, such as work that grows. */
const VARIATION = 4 / 3

function varies ({ rounds, failure }) {
  return failure === undefined && [rateOf, costOf].some(of => Math.max(...rounds.map(of)) > VARIATION * Math.min(...rounds.map(of)))
}

function roundsOf ({ target, rounds }) {
  const each = (of, write) => rounds.map(it => write(of(it))).join(' · ')
  return `\n${target}, round by round: ${each(rateOf, grouped)} requests/s; CPU µs with the database's ${each(costOf, digits)}`
}

const rateOf = ({ rate }) => rate
const costOf = ({ cpu, databaseCpu = 0 }) => cpu + databaseCpu
const grouped = number => Math.round(number).toLocaleString('en-US')

/**
 * A Markdown table.
 * @param {string} title
 * @param {string[]} columns
 * @param {string[][]} rows
 */
export function table (title, columns, rows) {
  const all = [columns, ...rows]
  const widths = columns.map((_, index) => Math.max(3, ...all.map(row => [...row[index]].length)))
  const line = row => `| ${row.map((cell, index) => index === 0 ? cell.padEnd(widths[index]) : cell.padStart(widths[index])).join(' | ')} |`
  const rule = `|${widths.map((width, index) => index === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`).join('|')}|`
  return [`\n### ${title}\n`, line(columns), rule, ...rows.map(line)].join('\n')
}

function cells (row) {
  if (row.failure !== undefined) return [row.target, 'FAILED', ...Array(COLUMNS.length - 2).fill('')]
  return [
    `${row.target}${row.disturbed ? ' ~' : ''}`,
    grouped(row.rate),
    digits(row.p50),
    digits(row.p99),
    digits(row.cpu),
    digits(row.databaseCpu),
    digits(row.rss),
    digits(row.start),
    row.ratio === undefined ? '' : row.ratio.cpu.toFixed(2),
    row.ratio === undefined ? '' : row.ratio.rate.toFixed(2),
    row.ratio === undefined ? '' : row.ratio.p50.toFixed(2)
  ]
}

/** Formats a number with three significant digits, or more for greater numbers. */
export function digits (number) {
  if (number === undefined || Number.isNaN(number)) return ''
  return number >= 100 ? Math.round(number).toString() : number.toPrecision(3)
}
