import { posix } from 'node:path'
import type { Row } from '../csv.js'
import { other } from '../kind.js'
import { type Oversized, UnreadableFile } from '../record.js'
import { Archive, damaged } from './archive.js'
import { readFormats } from './number-format.js'
import { readSheet, type CellContext } from './sheet.js'
import { spool } from './spool.js'
import { readStrings, StringTable } from './strings.js'
import { parseWhole } from './xml.js'

/** Maximum sheets that are looked at. */
const MAX_SHEETS = 1_000

const SAVE = 'save it as .xlsx, and import that file.'

/** Other archives of office programs, by one of their parts. */
const others: ReadonlyArray<readonly [part: RegExp, what: string, format: string]> = [
  [/^xl\/workbook\.bin$/i, `This is a binary workbook (.xlsb). Open it in Excel, ${SAVE}`, 'xlsb'],
  [/^(META-INF\/manifest|content)\.xml$/i, `This is an OpenDocument file (.ods). Open it in LibreOffice, ${SAVE}`, 'OpenDocument'],
  [/(^Index\.zip|\.iwa)$/i, 'This is a table of Numbers. Open it, choose File > Export To > Excel, and import that file.', 'Numbers'],
  [/^(word|ppt)\//i, `This is a document of Word or PowerPoint. Copy its table to Excel, ${SAVE}`, 'Word, PowerPoint']
]

/** A relationship of a part to another one. `type`: the last segment of its URI. */
interface Relationship { readonly id: string, readonly type: string, readonly target: string }

/** The contents of a workbook. */
interface Contents {
  readonly sheets: ReadonlyArray<{ readonly name: string, readonly relationship: string, readonly isVisible: boolean }>
  readonly calendar: 1900 | 1904
}

/**
 * Reads the rows of a sheet of a workbook (ECMA-376), with the values that formulas had when it was saved.
 * @param wanted name of the sheet; `undefined`: the first visible one
 * @param onSheet called with the sheet and the names of the visible ones
 * @throws UnreadableFile; SpoolError
 */
export async function * readWorkbook (
  body: AsyncIterable<Buffer>, wanted: string | undefined, onSheet: (sheet: string, sheets: string[]) => void
): AsyncGenerator<Row | Oversized> {
  const { file, size } = await spool(body)
  try {
    const archive = await Archive.open(file, size)
    assertWorkbook(archive.names)
    const workbook = (await readRelationships(archive, '')).find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
    const related = await readRelationships(archive, workbook)
    const { sheets, calendar } = await readContents(archive, workbook)
    const worksheets = new Set(related.filter(({ type }) => type === 'worksheet').map(({ id }) => id))
    const visible = sheets.filter(({ isVisible, relationship }) => isVisible && worksheets.has(relationship))
    const names = visible.map(({ name }) => name)
    const sheet = wanted === undefined ? visible[0] : visible.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if (sheet === undefined) throw new UnreadableFile(null, whyNoSheet(wanted, names), { reason: 'no-sheet' })
    onSheet(sheet.name, names)
    const partOf = (wanted: (it: Relationship) => boolean) => related.find(it => wanted(it) && archive.has(it.target))?.target
    const path = partOf(({ id }) => id === sheet.relationship)
    if (path === undefined) throw damaged()
    const [strings, styles] = [partOf(({ type }) => type === 'sharedStrings'), partOf(({ type }) => type === 'styles')]
    const context: CellContext = {
      calendar,
      formats: styles === undefined ? [] : await readFormats(archive.read(styles)),
      strings: strings === undefined ? new StringTable() : await readStrings(archive.read(strings))
    }
    yield * readSheet(archive.read(path), context)
  } finally {
    await file.close()
  }
}

/** @throws UnreadableFile with what the archive is, and what to do */
function assertWorkbook (names: readonly string[]): void {
  const has = (wanted: RegExp) => names.some(name => wanted.test(name))
  if (has(/^xl\/.*\.xml$/i)) return
  const found = others.find(([part]) => has(part))
  if (found !== undefined) throw new UnreadableFile(null, found[1], other(found[2]))
  const table = names.find(name => /^[^/]{1,80}\.(csv|tsv|txt|xlsx)$/i.test(name) && !/\p{C}/u.test(name))
  throw new UnreadableFile(null, `This is a ZIP file. Unpack it, and import ${table ?? 'the CSV or xlsx file that is in it'}.`, {
    reason: 'archive'
  })
}

function whyNoSheet (wanted: string | undefined, names: readonly string[]): string {
  if (wanted === undefined) return 'The workbook has no visible sheet with cells.'
  const shown = names.slice(0, 20).map(name => name.replace(/\p{C}/gu, ' ').slice(0, 40))
  return `The workbook has no visible sheet of this name. It has: ${shown.join(', ')}${names.length > 20 ? ' …' : ''}.`
}

async function readContents (archive: Archive, path: string): Promise<Contents> {
  const sheets: Array<Contents['sheets'][number]> = []
  let calendar: Contents['calendar'] = 1900
  await parseWhole(archive.read(path), {
    open: (tag, { name = '', id = '', state = 'visible', date1904 = '' }) => {
      if (tag === 'workbookPr' && /^(1|true)$/.test(date1904)) calendar = 1904
      if (tag === 'sheet' && sheets.length < MAX_SHEETS) sheets.push({ name, relationship: id, isVisible: state === 'visible' })
    }
  })
  return { sheets, calendar }
}

/** Reads the relationships of a part; of the whole package if its path is empty. */
async function readRelationships (archive: Archive, path: string): Promise<Relationship[]> {
  const folder = posix.dirname(path)
  const name = posix.join(folder, '_rels', `${posix.basename(path)}.rels`)
  const relationships: Relationship[] = []
  if (!archive.has(name)) return relationships
  await parseWhole(archive.read(name), {
    open: (tag, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      if (tag !== 'Relationship' || mode === 'External' || relationships.length >= 2 * MAX_SHEETS) return
      const found = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      relationships.push({ id, type: type.replace(/.*\//, ''), target: found })
    }
  })
  return relationships
}
