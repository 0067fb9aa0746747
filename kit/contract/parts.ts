import { z } from 'zod'
import type { Problem } from './schema.ts'

/** A whole number in a body or in a text field beside a file. */
export const wholeUpTo = (max: number) =>
  z.union([
    z.int().min(0).max(max),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .pipe(z.int().min(0).max(max)),
  ])

/** What is said of a part that does not fit: codes of the area whose upload it is. */
export interface PartCodes {
  readonly order: string
  readonly size: string
}

/**
 * Why a part of an upload is not taken: parts follow each other, and end where the file ends. The reason tells how much is
 * here, so that whoever sends goes on there.
 *
 * @param most bytes of a part
 */
export function reasonsOfPart(
  part: { readonly offset: number; readonly bytes: number },
  upload: { readonly received: number; readonly size: number },
  most: number,
  codes: PartCodes,
): Pick<Problem, 'field' | 'code' | 'data'>[] {
  const data = { received: upload.received }
  if (part.offset !== upload.received) return [{ field: 'offset', code: codes.order, data }]
  if (part.bytes === 0 || part.bytes > most || part.offset + part.bytes > upload.size)
    return [{ field: 'file', code: codes.size, data }]
  return []
}
