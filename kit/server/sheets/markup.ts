import { SheetError } from './error.ts'

const deepest = 64
const [lt, gt, slash, bang, question, equals, quote, apostrophe] = [...'<>/!?="\''].map((mark) =>
  mark.charCodeAt(0),
) as [number, number, number, number, number, number, number, number]

/** The farthest cell with content; zero when there is none. */
export interface Extent {
  rows: number
  columns: number
}

/**
 * One pass over the bytes of an XML part before it is parsed: refuses document types and entities, encodings that could
 * hide them, and nesting deeper than spreadsheets have; and finds the extent of the cells, because a parser reserves
 * the whole rectangle.
 */
export function scanMarkup(xml: Uint8Array): Extent {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength)
  if (text.length === 0) return { rows: 0, columns: 0 }
  const bom = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0
  const declared = /encoding\s*=\s*["']([^"']*)/.exec(text.toString('latin1', bom, Math.min(text.length, 200)))?.[1]
  if (text[bom] !== lt || text[bom + 1] === 0 || (declared && !/^(utf-8|us-ascii)$/i.test(declared))) {
    throw new SheetError('sheet_broken', { reason: 'encoding' })
  }

  let depth = 0
  let row = 0
  let column = 0
  const extent: Extent = { rows: 0, columns: 0 }
  let at = text.indexOf(lt)
  while (at >= 0) {
    const next = text[at + 1]
    let end: number
    if (next === bang) {
      if (text.toString('latin1', at, at + 4) === '<!--') end = after(text, '-->', at + 4)
      else if (text.toString('latin1', at, at + 9) === '<![CDATA[') end = after(text, ']]>', at + 9)
      else throw new SheetError('sheet_broken', { reason: 'document type' })
    } else if (next === question) {
      end = after(text, '?>', at + 2)
    } else if (next === slash) {
      depth -= 1
      end = after(text, '>', at + 2)
    } else {
      end = tagEnd(text, at + 1)
      const empty = text[end - 2] === slash
      const name = localName(text, at + 1)
      if (name === 'row') {
        row = Number(attribute(text, at, end)) || row + 1
        column = 0
      } else if (name === 'c') {
        const reference = /^([A-Za-z]{1,3})(\d{1,7})$/.exec(attribute(text, at, end))
        column = reference ? columnNumber(reference[1]!) : column + 1
        if (!empty) {
          extent.rows = Math.max(extent.rows, reference ? Number(reference[2]) : row)
          extent.columns = Math.max(extent.columns, column)
        }
      }
      if (!empty) depth += 1
      if (depth > deepest) throw new SheetError('sheet_broken', { reason: 'nesting' })
    }
    at = text.indexOf(lt, end)
  }
  return extent
}

function after(text: Buffer, mark: string, from: number): number {
  const at = text.indexOf(mark, from, 'latin1')
  if (at < 0) throw new SheetError('sheet_broken', { reason: 'markup' })
  return at + mark.length
}

/** The end of an opening tag; a `>` between quotes does not end it. */
function tagEnd(text: Buffer, from: number): number {
  let quoted = 0
  for (let at = from; at < text.length; at += 1) {
    const byte = text[at]!
    if (quoted) {
      if (byte === quoted) quoted = 0
    } else if (byte === quote || byte === apostrophe) quoted = byte
    else if (byte === gt) return at + 1
  }
  throw new SheetError('sheet_broken', { reason: 'markup' })
}

/** `row` or `c` when the tag is one of them, with or without a prefix; else empty. */
function localName(text: Buffer, from: number): '' | 'row' | 'c' {
  let start = from
  for (let at = from; at < from + 64 && at < text.length; at += 1) {
    const byte = text[at]!
    if (byte === 0x3a) start = at + 1
    else if (byte <= 0x20 || byte === gt || byte === slash) {
      if (at - start === 1 && text[start] === 0x63) return 'c'
      if (at - start === 3 && text.toString('latin1', start, at) === 'row') return 'row'
      return ''
    }
  }
  return ''
}

/** The value of the attribute `r` of the tag. */
function attribute(text: Buffer, from: number, end: number): string {
  for (let at = from + 2; at < end - 3; at += 1) {
    if (text[at] === 0x72 && text[at - 1]! <= 0x20 && text[at + 1] === equals) {
      const mark = text[at + 2]!
      const stop = text.indexOf(mark, at + 3)
      if ((mark === quote || mark === apostrophe) && stop > 0 && stop < end)
        return text.toString('latin1', at + 3, stop)
    }
  }
  return ''
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}
