/** Draws a workbook as ministries do: heads over several columns, borders, formulas. For the demo university. */
import { zipSync } from 'fflate'
import { cellName } from '#kit/server/sheets/index.ts'

/** A cell: a text, a number, a formula that begins with `=`, or nothing; its look by the number of a style. */
export type DrawnCell = string | number | null | readonly [value: string | number, style: number]
export interface DrawnSheet {
  readonly name: string
  readonly rtl: boolean
  readonly rows: readonly (readonly DrawnCell[])[]
  readonly merges: readonly string[]
}
/** Plain with borders, a title, a head. */
export const [BORDERED, TITLE, HEAD] = [1, 2, 3] as const

const xml = (text: string) =>
  new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`)
const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Arial"/></font><font><b/><sz val="13"/><name val="Arial"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>
<fill><patternFill patternType="solid"><fgColor rgb="FFE7EEF7"/></patternFill></fill></fills>
<borders count="2"><border/><border><left style="thin"/><right style="thin"/><top style="thin"/><bottom style="thin"/></border></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf borderId="1" numFmtId="3" applyNumberFormat="1" applyBorder="1"/>
<xf fontId="1" applyFont="1"><alignment horizontal="center"/></xf>
<xf fillId="2" borderId="1" applyFill="1" applyBorder="1"><alignment horizontal="center"/></xf></cellXfs></styleSheet>`

function sheetXml({ rtl, rows, merges }: DrawnSheet): string {
  const cell = (given: DrawnCell, row: number, column: number): string => {
    if (given === null) return ''
    const [value, style] = Array.isArray(given)
      ? (given as readonly [string | number, number])
      : [given as string, BORDERED]
    const at = `r="${cellName(row, column)}" s="${style}"`
    if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`
    if (value.startsWith('=')) return `<c ${at}><f>${safe(value.slice(1))}</f><v>0</v></c>`
    return value ? `<c ${at} t="inlineStr"><is><t>${safe(value)}</t></is></c>` : `<c ${at}/>`
  }
  const lines = rows.map((row, y) => `<row r="${y + 1}">${row.map((one, x) => cell(one, y + 1, x + 1)).join('')}</row>`)
  return `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${rtl ? ' rightToLeft="1"' : ''}/></sheetViews>
<cols><col min="1" max="1" width="34" customWidth="1"/></cols><sheetData>${lines.join('')}</sheetData>${
    merges.length
      ? `<mergeCells count="${merges.length}">${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
      : ''
  }</worksheet>`
}

/** The workbook as a file. */
export function drawBook(sheets: readonly DrawnSheet[]): Uint8Array {
  const each = (of: (sheet: DrawnSheet, number: number) => string) => sheets.map((one, i) => of(one, i + 1)).join('')
  return zipSync(
    {
      '[Content_Types].xml': xml(
        `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${each((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
      ),
      '_rels/.rels': xml(
        `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
      'xl/workbook.xml': xml(
        `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((one, n) => `<sheet name="${safe(one.name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': xml(
        `<Relationships xmlns="${PACKAGE}/relationships">${each((_, n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
      ),
      'xl/styles.xml': xml(STYLES),
      ...Object.fromEntries(sheets.map((one, i) => [`xl/worksheets/sheet${i + 1}.xml`, xml(sheetXml(one))])),
    },
    { mtime: '1980-01-01T12:00:00' },
  )
}
