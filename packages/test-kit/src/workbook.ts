import { ZipFile } from 'yazl'

/** Parts of a ZIP archive, by path. */
export type Parts = Record<string, string | Buffer>

/** Makes a ZIP archive. @param compress `false`: parts are stored as they are */
export async function zip (parts: Parts, compress = true): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, text] of Object.entries(parts)) file.addBuffer(Buffer.from(text), name, { compress })
  file.end()
  const chunks: Buffer[] = []
  // as: no encoding is set.
  for await (const chunk of file.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A sheet of {@link workbook}: the XML of its rows. */
interface Sheet { readonly rows: string, readonly state?: 'hidden' | 'veryHidden' }

/** The parts of a workbook as Excel writes it, by path. */
export function workbookParts (
  sheets: Record<string, Sheet>, { strings = '', numFmts = '', xfs = '<xf numFmtId="0"/>', calendar = '' } = {}
): Parts {
  const list = Object.entries(sheets)
  const relationships = [
    ...list.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml']
  ].map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
  return {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': `${XML}<Relationships><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns:r="${OFFICE}"><workbookPr${calendar}/><sheets>${list.map(([name, { state }], index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships>${relationships.join('')}</Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet><numFmts>${numFmts}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${xfs}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${XML}<sst>${strings}</sst>`,
    ...Object.fromEntries(list.map(([, { rows }], index) => [
      `xl/worksheets/sheet${index + 1}.xml`, `${XML}<worksheet><dimension ref="A1"/><sheetData>${rows}</sheetData></worksheet>`
    ]))
  }
}
