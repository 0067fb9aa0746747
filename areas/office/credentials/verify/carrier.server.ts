import { inflateSync } from 'node:zlib'
import { isTangled } from './tangled.rules.ts'
import { readToken } from './token.server.ts'
import type { Token } from './token.server.ts'
import { isObject } from './values.rules.ts'
import type { JsonObject } from './values.rules.ts'

/** A credential out of a file: written as JSON, or as a token with its text. */
export type Carried = { readonly document: JsonObject } | CarriedToken
export type CarriedToken = { readonly text: string } & Token
export const isCarriedToken = (carried: Carried): carried is CarriedToken => 'text' in carried

/** Bytes of a credential at most; one of a whole study with pictures inside stays far below. */
export const MOST_BYTES = 4_194_304
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const KEYWORD = 'openbadgecredential'

/** Finds the credential in a file: JSON, a token, or baked into a PNG or SVG image (Open Badges 3.0, section 5.3). null: there is none. */
export function carriedIn(content: Uint8Array): Carried | null {
  const bytes = Buffer.from(content)
  if (bytes.subarray(0, 8).equals(PNG)) {
    const text = textInPng(bytes)
    return text === null ? null : carriedInText(text)
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  // Bytes that are no text would be read as something else than was signed.
  if (bytes.length > MOST_BYTES || text.includes('\uFFFD')) return null
  if (/^\s*</.test(text)) {
    const baked = textInSvg(text)
    return baked === null ? null : carriedInText(baked)
  }
  return carriedInText(text)
}

export function carriedInText(written: string): Carried | null {
  const text = written.trim()
  if (text.length > MOST_BYTES) return null
  if (text.startsWith('{')) {
    if (isTangled(text)) return null
    try {
      const document: unknown = JSON.parse(text)
      return isObject(document) ? { document } : null
    } catch {
      return null
    }
  }
  const token = readToken(text)
  return token && { text, ...token }
}

/** The text chunk of an image that carries a badge. */
function textInPng(bytes: Buffer): string | null {
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const kind = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + 8, at + 8 + length)
    at += 12 + length
    if (data.length !== length) return null
    const end = data.indexOf(0)
    if (!/^(iTXt|tEXt|zTXt)$/.test(kind) || end < 0 || data.toString('latin1', 0, end) !== KEYWORD) continue
    if (kind === 'tEXt') return data.toString('utf8', end + 1)
    if (kind === 'zTXt') return unpacked(data.subarray(end + 2))
    const packed = data[end + 1] === 1
    const language = data.indexOf(0, end + 3)
    const translated = language < 0 ? -1 : data.indexOf(0, language + 1)
    if (translated < 0) return null
    const text = data.subarray(translated + 1)
    return packed ? unpacked(text) : text.toString('utf8')
  }
  return null
}
function unpacked(data: Buffer): string | null {
  try {
    return inflateSync(data, { maxOutputLength: MOST_BYTES }).toString('utf8')
  } catch {
    return null
  }
}

/** The element of an image that carries a badge: a token as an attribute, or JSON as its content. */
function textInSvg(text: string): string | null {
  const element = /<(?:[\w-]+:)?credential\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:[\w-]+:)?credential\s*>)/.exec(text)
  if (!element) return null
  const token = /\bverify\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(element[1]!)
  if (token) return token[1] ?? token[2]!
  return (element[2] ?? '').replace(/^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/, '$1')
}
