import type { Row } from '@frontdesk/service-kit/records/csv'
import { UnreadableFile } from '@frontdesk/service-kit/records/record'
import { fieldNames, type FieldName } from '../fields.js'
import { nearest } from '../nearest.js'
import { fieldOfHeading, headingsOfParts, meaningOfHeading, normalize } from './heading-names.js'
import { AUTO, type Mapping } from './mapping.js'

/** Maximum headings in an error, and characters of each. */
const [MAX_NAMED, MAX_LENGTH] = [20, 40]

/** Maximum headings that are searched for typing errors. */
const MAX_CORRECTED = 100

/** Where the values of a field are: columns to join, and what an empty value gets. */
export interface Source {
  readonly columns: readonly number[]
  readonly otherwise?: typeof AUTO | { readonly value: string }
}

/** The sources of fields; a field that is missing has none. */
export type Sources = Partial<Record<FieldName, Source>>

/**
 * Finds the columns of each field: by the mapping, otherwise by a known heading that no other column has.
 * @throws UnreadableFile if a column of the mapping is missing or not unique
 */
export function findSources (row: Row, mapping: Mapping): Sources {
  const mapped = fieldNames.map(name => mapping[name]?.map(text => parseSource(row, text)))
  const used = mapped.flatMap(sources => sources?.flatMap(({ columns }) => columns) ?? [])
  return Object.fromEntries(fieldNames.flatMap((name, index): Array<[FieldName, Source]> => {
    const sources = mapped[index]
    if (sources !== undefined) return [[name, merge(sources)]]
    const columns = knownColumns(row.cells, used, name)
    return columns.length === 1 && !isPartOfName(row.cells, name) ? [[name, { columns }]] : []
  }))
}

/** The columns with a known heading of a field. @param used columns of other fields */
function knownColumns (cells: readonly string[], used: readonly number[], name: FieldName): number[] {
  return cells.flatMap((cell, index) => !used.includes(index) && fieldOfHeading.get(normalize(cell)) === name ? [index] : [])
}

/** @param needed the fields that need a source @throws UnreadableFile if some are missing, or have several columns */
export function assertComplete ({ line, cells }: Row, sources: Sources, needed: readonly FieldName[]): void {
  const missing = needed.filter(name => sources[name] === undefined)
  if (missing.length === 0) return
  assertNoneRepeated({ line, cells }, sources, missing)
  const suggested = Object.entries(suggest(cells, missing)).flatMap(([name, texts]) => texts.map(text => `map=${name}:${printable(text)}`))
  throw new UnreadableFile(line, [
    `is missing these columns: ${missing.join(', ')}.`,
    list(cells),
    `Known: ${fieldNames.join(', ')}, or Number, Name, Age, Address.`,
    suggested.length > 0
      ? `Did you mean ${suggested.join(' and ')}?`
      : 'Map a column, such as map=customername:Heading, or set a value, such as map=customerage:=0.',
    ...cells.length === 1 ? ['Separate the columns by comma, semicolon, TAB or |.'] : []
  ].join(' '), {
    reason: cells.length === 1 ? 'one-column' : 'columns-missing',
    columns: missing.join(', '),
    found: shown(cells),
    known: fieldNames.join(', ')
  })
}

function assertNoneRepeated ({ line, cells }: Row, sources: Sources, missing: readonly FieldName[]): void {
  const used = Object.values(sources).flatMap(({ columns }) => columns)
  for (const name of missing) {
    const found = knownColumns(cells, used, name)
    if (found.length < 2) continue
    const columns = shown(found.map(index => cells[index] ?? ''))
    const choice = `map=${name}:${printable(refer(cells, found[0] ?? 0))}`
    throw new UnreadableFile(line, `has several columns of ${name}: ${columns}. Choose one, such as ${choice}.`, {
      reason: 'column-repeated', columns
    })
  }
}

/** Suggests sources of missing fields, in the form of a mapping. */
export function suggest (cells: readonly string[], missing: readonly FieldName[]): Mapping {
  const normalized = cells.map(normalize)
  const meant = normalized.map((it, index) => fieldOfHeading.get(it) ?? (index < MAX_CORRECTED ? findNear(it) : undefined))
  const isAnyKnown = missing.length < fieldNames.length || [...meant, ...cells.map(meaningOfHeading)].some(it => it !== undefined)
  return Object.fromEntries(missing.flatMap(name => {
    const parts = (headingsOfParts[name] ?? []).map(headings => normalized.findIndex(it => headings.includes(it)))
    const near = meant.indexOf(name)
    // A single name next to a part is the other part.
    const indexes = parts.every(it => it < 0) ? [near] : parts.map(it => it < 0 && name === 'customername' ? near : it)
    const found = indexes.filter(it => it >= 0)
    const texts = found.length === 0 && name === 'customerid' && isAnyKnown ? [AUTO] : found.map(index => refer(cells, index))
    return texts.length === 0 ? [] : [[name, texts]]
  }))
}

/** Writes sources as the mapping that leads to them. */
export function describeSources (cells: readonly string[], sources: Sources): Mapping {
  return Object.fromEntries(Object.entries(sources).map(([name, { columns, otherwise }]) => [name, [
    ...columns.map(index => refer(cells, index)),
    ...otherwise === undefined ? [] : [otherwise === AUTO ? AUTO : `=${otherwise.value}`]
  ]]))
}

/** The text that {@link parseSource} reads as a column: its heading, or its position. */
function refer (cells: readonly string[], index: number): string {
  const text = cells[index]?.trim() ?? ''
  const isClear = text !== '' && text !== AUTO && !/^[=#]/.test(text) && cells.filter(cell => cell.trim() === text).length === 1
  return isClear ? text : `#${index + 1}`
}

function parseSource ({ line, cells }: Row, text: string): Source {
  if (text === AUTO) return { columns: [], otherwise: AUTO }
  if (text.startsWith('=')) return { columns: [], otherwise: { value: text.slice(1) } }
  const number = Number(/^#(\d{1,4})$/.exec(text)?.[1] ?? 0)
  if (number > 0 && number <= cells.length) return { columns: [number - 1] }
  const same = (read: (heading: string) => string) => cells.flatMap((cell, index) => read(cell) === read(text) ? [index] : [])
  const exact = same(heading => heading.trim())
  const columns = exact.length > 0 ? exact : same(normalize)
  if (columns.length === 1) return { columns }
  const column = printable(text)
  if (columns.length > 1) {
    const position = (columns[0] ?? 0) + 1
    throw new UnreadableFile(line, `has ${columns.length} columns ${column}. Choose one by its position, such as #${position}.`, {
      reason: 'column-repeated', columns: column
    })
  }
  const meant = cells.find(cell => nearest(cell, [text.toLowerCase()]) !== undefined)
  const hint = meant === undefined ? '' : ` Did you mean ${printable(meant)}?`
  throw new UnreadableFile(line, `has no column ${column}.${hint} ${list(cells)}`, {
    reason: 'columns-missing', columns: column, found: shown(cells), known: fieldNames.join(', ')
  })
}

function merge (sources: readonly Source[]): Source {
  const otherwise = sources.find(source => source.otherwise !== undefined)?.otherwise
  return { columns: sources.flatMap(({ columns }) => columns), ...otherwise === undefined ? {} : { otherwise } }
}

/** Whether a single name is only a part of it: next to a first name, `Name` is the last one. */
function isPartOfName (cells: readonly string[], name: FieldName): boolean {
  const parts = name === 'customername' ? headingsOfParts[name] ?? [] : []
  const known = cells.map(normalize)
  return parts.filter(headings => known.some(it => headings.includes(it) && fieldOfHeading.get(it) !== name)).length === 1
}

function isText (cell: string): boolean {
  return cell.trim() !== ''
}

function shown (cells: readonly string[]): string {
  return cells.filter(isText).slice(0, MAX_NAMED).map(printable).join(', ')
}

/** Lists the headings that were found. */
function list (cells: readonly string[]): string {
  const left = cells.filter(isText).length - MAX_NAMED
  return `Found: ${shown(cells)}${left > 0 ? ` and ${left} more` : ''}.`
}

function findNear (heading: string): FieldName | undefined {
  const near = heading.length > 2 ? nearest(heading, [...fieldOfHeading.keys()]) : undefined
  return near === undefined ? undefined : fieldOfHeading.get(near)
}

function printable (cell: string): string {
  const text = [...cell.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()]
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).join('')}…` : text.join('')
}
