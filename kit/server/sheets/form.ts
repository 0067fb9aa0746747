/**
 * Filling a workbook that somebody else drew: the values of some cells are replaced in the markup of their sheets, and nothing else of the
 * file is touched, so formats, formulas, merged cells and drawings stay as they are.
 */
import { zipSync } from 'fflate'
import { readDirectory, unzipEntry } from './archive.ts'
import { SheetError } from './error.ts'

/** What is written into a cell: a number, or a text, which is never run as a formula; null empties it. */
export interface FormValue {
  readonly sheet: string
  readonly cell: string
  readonly value: number | string | null
}
export interface FormSheet {
  readonly name: string
  readonly rtl: boolean
  /** Ranges that are one cell to the eye. */
  readonly merges: readonly string[]
}

const DECODER = new TextDecoder()
const ENCODER = new TextEncoder()
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) =>
    hex || number ? String.fromCodePoint(hex ? parseInt(hex, 16) : Number(number)) : (NAMED[name!] ?? whole),
  )
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .slice(0, 32_767)
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
const attributeOf = (tag: string, name: string): string | null => {
  const found = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found ? plain(found[1] ?? found[2] ?? '') : null
}

/** `B5` of the second column and the fifth row, both counted from 1. */
export function cellName(row: number, column: number): string {
  let letters = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return `${letters}${row}`
}

/** What calls other programs, files or the network when it is computed; and what the product does not know. */
const REACHES_OUT =
  /\b(?:WEBSERVICE|FILTERXML|HYPERLINK|RTD|DDE|CALL|REGISTER(?:\.ID)?|IMAGE|IMPORT\w+|SQL\.REQUEST|STOCKHISTORY|PY)\s*\(|\[\d+\]|\|\s*'?[^|!]*'?!/i
/** Parts by which a workbook fetches from elsewhere. */
const OUTSIDE = /^xl\/(?:externallinks|querytables|connections\.xml|model|webextensions|embeddings)/i

class Book {
  readonly parts: Map<string, Uint8Array>
  constructor(bytes: Uint8Array) {
    this.parts = new Map(readDirectory(bytes).map((entry) => [entry.name, unzipEntry(bytes, entry)]))
  }
  text(path: string): string {
    const part = this.parts.get(path)
    if (!part) throw new SheetError('sheet_broken', { reason: `without ${path}` })
    return DECODER.decode(part)
  }
  /** The part of the workbook, and the parts of its sheets in their order. */
  sheets(): { workbook: string; sheets: { name: string; path: string }[] } {
    const top = this.text('_rels/.rels')
    const main = [...top.matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)].find(([tag]) =>
      attributeOf(tag, 'Type')?.endsWith('/officeDocument'),
    )
    const workbook = (main && attributeOf(main[0], 'Target')?.replace(/^\//, '')) ?? 'xl/workbook.xml'
    const folder = workbook.slice(0, workbook.lastIndexOf('/') + 1)
    const relations = new Map(
      [
        ...this.text(`${folder}_rels/${workbook.slice(folder.length)}.rels`).matchAll(
          /<(?:\w+:)?Relationship\b[^>]*>/g,
        ),
      ].map(([tag]) => [attributeOf(tag, 'Id'), attributeOf(tag, 'Target') ?? '']),
    )
    const sheets = [...this.text(workbook).matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].flatMap(([tag]) => {
      const target = relations.get(attributeOf(tag, String.raw`\w+:id`))
      const path = target?.startsWith('/') ? target.slice(1) : `${folder}${target}`
      return target && this.parts.has(path) ? [{ name: attributeOf(tag, 'name') ?? '', path }] : []
    })
    return { workbook, sheets }
  }
}

/** What of a workbook is needed to show it. @throws {SheetError} also where it reaches out of itself */
export function readForm(bytes: Uint8Array): FormSheet[] {
  const book = new Book(bytes)
  if ([...book.parts.keys()].some((name) => OUTSIDE.test(name))) throw new SheetError('sheet_reaches_out', { cell: '' })
  return book.sheets().sheets.map(({ name, path }) => {
    const text = book.text(path)
    for (const { cell, body } of cellsOf(text)) {
      const formula = /<(?:\w+:)?f\b[^>]*>([^<]*)</.exec(body)?.[1]
      if (formula && REACHES_OUT.test(plain(formula)))
        throw new SheetError('sheet_reaches_out', { cell: `${name}!${cell}` })
    }
    return {
      name,
      rtl: /<(?:\w+:)?sheetView\b[^>]*\srightToLeft\s*=\s*["'](?:1|true)/.test(text),
      merges: [...text.matchAll(/<(?:\w+:)?mergeCell\s[^>]*>/g)].flatMap(([tag]) => attributeOf(tag, 'ref') ?? []),
    }
  })
}

interface CellPlace {
  readonly cell: string
  readonly start: number
  readonly end: number
  readonly prefix: string
  readonly attributes: string
  readonly body: string
}
/** The cells of a sheet's markup. Where a row or a cell does not say its place, it follows the one before. */
function* cellsOf(xml: string): Generator<CellPlace> {
  const tags = /<((?:[A-Za-z_][\w.-]*:)?)(row|c)(\s(?:"[^"]*"|'[^']*'|[^>"'])*?)?(\/?)>/g
  let row = 0
  let column = 0
  for (let tag = tags.exec(xml); tag; tag = tags.exec(xml)) {
    const [whole, prefix = '', name, attributes = '', empty] = tag
    const place = attributeOf(` ${attributes}`, 'r')
    if (name === 'row') {
      row = Number(place) || row + 1
      column = 0
      continue
    }
    const letters = /^([A-Za-z]{1,3})\d+$/.exec(place ?? '')?.[1]
    column = letters
      ? [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
      : column + 1
    let end = tag.index + whole.length
    let body = ''
    if (!empty) {
      const close = xml.indexOf(`</${prefix}c>`, end)
      if (close < 0) throw new SheetError('sheet_broken', { reason: 'markup' })
      body = xml.slice(end, close)
      end = close + prefix.length + 4
    }
    tags.lastIndex = end
    yield { cell: cellName(row, column), start: tag.index, end, prefix, attributes, body }
  }
}

function filledSheet(xml: string, values: ReadonlyMap<string, FormValue['value']>): string {
  const left = new Set(values.keys())
  let out = ''
  let at = 0
  for (const { cell, start, end, prefix, attributes, body } of cellsOf(xml)) {
    const given = values.has(cell)
    const formula = new RegExp(`<${prefix}f[\\s/>]`).test(body)
    if (!given && !formula) continue
    const kept = attributes.replaceAll(/\s(?:t|cm|vm)\s*=\s*(?:"[^"]*"|'[^']*')/g, '').trimEnd()
    const c = (type: string, inner: string) =>
      inner ? `<${prefix}c${kept}${type}>${inner}</${prefix}c>` : `<${prefix}c${kept}/>`
    out += xml.slice(at, start)
    at = end
    if (!given) {
      // What it came to is computed when the file is opened: the figures it rests on are others now.
      out += c('', body.replaceAll(new RegExp(`<${prefix}v\\b[^>]*(?:/>|>[^<]*</${prefix}v>)`, 'g'), ''))
      continue
    }
    left.delete(cell)
    const value = values.get(cell)!
    out +=
      value === null
        ? c('', '')
        : typeof value === 'number'
          ? c('', `<${prefix}v>${value}</${prefix}v>`)
          : c(
              ' t="inlineStr"',
              `<${prefix}is><${prefix}t xml:space="preserve">${escaped(value)}</${prefix}t></${prefix}is>`,
            )
  }
  const filled = out + xml.slice(at)
  // A cell that nobody has touched is not there yet.
  return [...left].reduce((text, cell) => {
    const value = values.get(cell)!
    return value === null ? text : withCell(text, cell, value)
  }, filled)
}

/** A sheet's markup with a cell that it does not have yet, in its place among the others. */
function withCell(xml: string, cell: string, value: number | string): string {
  const row = Number(/\d+$/.exec(cell)![0])
  const data = /<((?:[A-Za-z_][\w.-]*:)?)sheetData\b[^>]*?(\/?)>/.exec(xml)
  if (!data) throw new SheetError('sheet_broken', { reason: 'without cells' })
  const [whole, prefix = '', empty] = data
  const markup =
    typeof value === 'number'
      ? `<${prefix}c r="${cell}"><${prefix}v>${value}</${prefix}v></${prefix}c>`
      : `<${prefix}c r="${cell}" t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${escaped(value)}</${prefix}t></${prefix}is></${prefix}c>`
  const line = `<${prefix}row r="${row}">${markup}</${prefix}row>`
  const put = (at: number, text: string, until = at) => xml.slice(0, at) + text + xml.slice(until)
  const first = data.index + whole.length
  if (empty) return put(data.index, `${whole.replace(/\/>$/, '>')}${line}</${prefix}sheetData>`, first)
  let counted = 0
  for (const tag of xml.matchAll(new RegExp(`<${prefix}row\\b((?:"[^"]*"|'[^']*'|[^>"'])*?)(/?)>`, 'g'))) {
    counted = Number(attributeOf(tag[1] ?? '', 'r')) || counted + 1
    if (counted < row) continue
    if (counted > row) return put(tag.index, line)
    const start = tag.index + tag[0].length
    if (tag[2]) return put(tag.index, `${tag[0].replace(/\/>$/, '>')}${markup}</${prefix}row>`, start)
    const end = xml.indexOf(`</${prefix}row>`, start)
    const places = [...cellsOf(xml.slice(tag.index, end))]
    const next = places.find(
      (one) => one.cell.length > cell.length || (one.cell.length === cell.length && one.cell > cell),
    )
    return put(next ? tag.index + next.start : end, markup)
  }
  return put(xml.indexOf(`</${prefix}sheetData>`, first), line)
}

/** The workbook with these cells filled; programs compute its formulas anew when they open it. */
export function fillForm(bytes: Uint8Array, values: readonly FormValue[]): Uint8Array {
  const book = new Book(bytes)
  const { workbook, sheets } = book.sheets()
  const parts: Record<string, Uint8Array> = Object.fromEntries(book.parts)
  for (const { name, path } of sheets) {
    const own = new Map(values.filter(({ sheet }) => sheet === name).map(({ cell, value }) => [cell, value]))
    parts[path] = ENCODER.encode(filledSheet(book.text(path), own))
  }
  const main = book.text(workbook)
  const calc = /<((?:\w+:)?)calcPr\b[^>]*?(\/?)>/.exec(main)
  const after = /<\/(?:\w+:)?definedNames>/.exec(main) ?? /<\/((?:\w+:)?)sheets>/.exec(main)
  const prefix = calc?.[1] ?? after?.[1] ?? ''
  const computed = `<${prefix}calcPr fullCalcOnLoad="1"/>`
  parts[workbook] = ENCODER.encode(
    calc
      ? main.replace(calc[0], calc[2] ? computed : computed.replace('/>', '>'))
      : after
        ? main.replace(after[0], `${after[0]}${computed}`)
        : main,
  )
  return zipSync(parts, { mtime: '1980-01-01T12:00:00' })
}
