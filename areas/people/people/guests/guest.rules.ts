/** The document by which a guest is known. */
import type { Reason } from '#kit/contract/issues.ts'
import type { GuestDocument } from './guest.contract.ts'

/** A number as it is kept, so that one document has one record: without spaces, in capitals, digits as in Latin script. */
export const writtenDocument = (number: string): string =>
  number
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replaceAll(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/\s+/g, '')
    .toUpperCase()

/** What such a document bears for a number. */
const SHAPES: Readonly<Record<GuestDocument, RegExp>> = {
  national_id: /^\d{14}$/,
  passport: /^[A-Z0-9]{6,20}$/,
  residence: /^[A-Z0-9/-]{4,30}$/,
}

/** Every reason against a document; the number is as `writtenDocument` writes it. */
export function documentReasons({ kind, number }: { readonly kind: GuestDocument; readonly number: string }): Reason[] {
  if (SHAPES[kind].test(number)) return []
  return [{ field: 'document_number', code: kind === 'national_id' ? 'national_id_digits' : 'guest_document_number' }]
}
