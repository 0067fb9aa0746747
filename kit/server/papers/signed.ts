import { inLanguage } from '#kit/contract/index.ts'
import type { PaperLanguage } from '#kit/contract/index.ts'
import type { Names } from './papers.ts'

/** Somebody who signed a paper before it was made, as it stands there: the position, the name, the day. */
export interface SignedLine {
  readonly position: Names
  readonly name: Names
  /** The day of the university. */
  readonly on: string
  /** How the signature looks. */
  readonly picture?: { readonly ext: 'png' | 'jpg'; readonly content: Uint8Array } | null
}

/** Signatures as templates read them (`signed-lines` of `paper.typ`), with the files that they name. */
export function signedLines(signed: readonly SignedLine[], lang: PaperLanguage) {
  const files: Record<string, Uint8Array> = {}
  const lines = signed.map(({ position, name, on, picture }, i) => {
    const file = picture ? `signature-${i + 1}.${picture.ext}` : null
    if (file !== null) files[file] = picture!.content
    const said = (one: Names): string => inLanguage([one.name, one.name_local], lang)
    return { label: said(position), name: said(name), on, picture: file }
  })
  return { lines, files }
}

/** Width and height of a PNG or JPEG in pixels; null: it is neither, or is cut off. Nothing is unpacked. */
export function pixelsOf(content: Uint8Array): { readonly width: number; readonly height: number } | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (bytes.length >= 24 && bytes.toString('latin1', 1, 4) === 'PNG' && bytes.toString('latin1', 12, 16) === 'IHDR')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!
    // Start of frame: C0 to CF without the tables C4, C8 and CC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
