import { Zip, ZipDeflate, strToU8 } from 'fflate'
import type { WriteColumn, WriteSheet, WriteValue } from './sheet.ts'
import { printable, sheetName, writers } from './written.rules.ts'

/** Rows that fit below the heading of a sheet, as Excel has it. */
const SHEET_ROWS = 1_048_575

/** Rows that are compressed together. */
const TOGETHER = 500
/** Places of the styles below: the heading, then columns by type. */
const STYLES = { text: 2, number: 0, date: 3, decimal: 4 } as const
const HEADING = 1

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook beside its one sheet. */
const parts = (name: string): readonly (readonly [path: string, xml: string])[] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${KIND}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${KIND}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${KIND}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
]

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!)
/** Days since the one from which Excel counts. */
const serial = (day: Date): number => day.getTime() / 86_400_000 + 25_569

const cell = (type: WriteColumn['type'], raw: WriteValue): string => {
  const value = writers[type](raw)
  if (value === null || value === undefined) return '<c/>'
  if (typeof value === 'number') return `<c s="${STYLES[type]}"><v>${value}</v></c>`
  if (value instanceof Date) return `<c s="${STYLES.date}"><v>${serial(value)}</v></c>`
  return textCell(String(value), STYLES.text)
}
const textCell = (text: string, style: number): string =>
  `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** The sheet as text, piece by piece. */
async function* sheetXml({ direction, columns, rows }: Streamed): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${direction === 'rtl' ? ' rightToLeft="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width ?? 18}" customWidth="1"/>`)
    .join(
      '',
    )}</cols><sheetData><row>${columns.map(({ header }) => textCell(printable(header), HEADING)).join('')}</row>`
  let piece = ''
  let count = 0
  for await (const some of rows) {
    for (const row of some) {
      piece += `<row>${columns.map((column) => cell(column.type, row[column.key])).join('')}</row>`
      count += 1
      if (count > SHEET_ROWS) throw new Error(`a sheet has at most ${SHEET_ROWS} rows`)
      if (count % TOGETHER === 0) {
        yield piece
        piece = ''
      }
    }
  }
  yield `${piece}</sheetData></worksheet>`
}

type Row = Readonly<Record<string, WriteValue>>
type Streamed = Omit<WriteSheet, 'rows'> & { readonly rows: AsyncIterable<readonly Row[]> }

/**
 * Makes an XLSX workbook of one sheet while its rows come, for jobs: memory does not grow with them. Its columns have the width
 * they say, since nobody knows what is still to come; text stays text, as in `writeSheet`.
 *
 * @param sheet.rows as they come, many at a time; at most `SHEET_ROWS` in all
 */
export async function* streamSheet(sheet: Streamed): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error) throw error
    if (data.length) ready.push(data)
  })
  const begin = (path: string) => {
    const part = new ZipDeflate(path, { level: 6 })
    zip.add(part)
    return part
  }
  for (const [path, xml] of parts(sheetName(sheet.name, new Set()))) begin(path).push(strToU8(HEAD + xml), true)
  const part = begin('xl/worksheets/sheet1.xml')
  for await (const piece of sheetXml(sheet)) {
    part.push(strToU8(piece))
    yield* ready.splice(0)
  }
  part.push(new Uint8Array(), true)
  zip.end()
  yield* ready.splice(0)
}
