/** Looks at the file of a paper where it is: on the device of whoever holds it. Nothing is sent. */
import { codeTyped } from './papers.ts'

/** What a file says of itself. */
export interface CheckedFile {
  readonly name: string
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string
  /** By which it is verified; null: it carries none. */
  readonly code: string | null
  /** `broken`: it carries a signature that does not fit what stands in it, or not the whole of it. */
  readonly signature: 'none' | 'broken' | { readonly fingerprint: string }
}

/** The same in a browser and on the server. */
const { crypto } = globalThis as unknown as {
  readonly crypto: { readonly subtle: { digest(name: string, data: Uint8Array): Promise<ArrayBuffer> } }
}
const sha256 = async (bytes: Uint8Array): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
/** Each byte as a letter, so that places in the text are places in the file. */
function letters(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return parts.join('')
}

/** Where the last signature of a file stands, and what it covers. */
const RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g

/** @param bytes of a PDF file */
export async function checkFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<CheckedFile> {
  const text = letters(bytes)
  const code = /\/qr_code\/([0-9A-Z]{20})\b/.exec(text)?.[1]
  return {
    name,
    sha256: await sha256(bytes),
    code: code === undefined ? null : codeTyped(code),
    signature: await signatureOf(bytes, text),
  }
}

async function signatureOf(bytes: Uint8Array<ArrayBuffer>, text: string): Promise<CheckedFile['signature']> {
  const range = [...text.matchAll(RANGE)].at(-1)?.slice(1).map(Number)
  if (!range) return 'none'
  const [start, length, next, rest] = range as [number, number, number, number]
  // What was appended after signing is not what was signed.
  if (start !== 0 || next <= length || next + rest !== bytes.length) return 'broken'
  const inside = text.slice(length, next)
  if (!/^<[\da-fA-F]+>$/.test(inside)) return 'broken'
  const content = Uint8Array.from(inside.slice(1, -1).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const signed = new Uint8Array(length + rest)
  signed.set(bytes.subarray(0, length))
  signed.set(bytes.subarray(next), length)
  // Large, and asked for by few.
  const { Certificate, ContentInfo, SignedData } = await import('pkijs')
  try {
    const data = new SignedData({ schema: ContentInfo.fromBER(content.buffer).content })
    const { signatureVerified, signerCertificate } = await data.verify({
      signer: 0,
      data: signed.buffer,
      checkChain: false,
      extendedMode: true,
    })
    if (!signatureVerified || !(signerCertificate instanceof Certificate)) return 'broken'
    return { fingerprint: await sha256(new Uint8Array(signerCertificate.toSchema().toBER(false))) }
  } catch {
    return 'broken'
  }
}

/** What a file is worth beside what the university says of the paper. */
export type FileVerdict = 'as_issued' | 'changed' | 'another' | 'unsigned'
/** Judges a file by what was issued under the code: a pure rule. */
export function judgeFile(
  file: CheckedFile,
  paper: {
    readonly code: string
    readonly sha256: string
    readonly signature: { readonly fingerprint: string } | null
  },
): FileVerdict {
  if (file.sha256 === paper.sha256) {
    if (paper.signature === null) return 'unsigned'
    return typeof file.signature === 'object' && file.signature.fingerprint === paper.signature.fingerprint
      ? 'as_issued'
      : 'changed'
  }
  return file.code !== null && file.code !== paper.code ? 'another' : 'changed'
}
