import type { Reason } from '#kit/contract/issues.ts'

/** What is looked at before a document goes on. */
export interface DocumentFacts {
  /** Whether there is a file. */
  readonly file: boolean
  /** The person hands in the own one; staff have seen it on paper. */
  readonly own: boolean
  readonly kind_expires: boolean
  readonly expires_on: string | null
  /** Whether another one of the kind is asked for or waits already. */
  readonly newer: boolean
  /** The day in the university. */
  readonly today: string
}

/** Why a document cannot be handed in: who is not at the desk sends a file. */
export const checkHandingIn = ({ file, own }: Pick<DocumentFacts, 'file' | 'own'>): Reason[] =>
  own && !file ? [{ field: 'file_id', code: 'document_file_needed' }] : []

/** Why a document cannot be accepted: what expires is accepted until a day that is still to come. */
export function checkAccepting({
  kind_expires,
  expires_on,
  today,
}: Pick<DocumentFacts, 'kind_expires' | 'expires_on' | 'today'>): Reason[] {
  if (expires_on === null) return kind_expires ? [{ field: 'expires_on', code: 'document_expiry_needed' }] : []
  return expires_on < today
    ? [{ field: 'expires_on', code: 'document_expired_already', data: { date: expires_on } }]
    : []
}

/** Why a decision cannot be opened again. */
export const checkReopening = ({ newer }: DocumentFacts): Reason[] => (newer ? [{ code: 'document_newer' }] : [])

/** Why a document has not expired. */
export const checkExpiring = ({ expires_on, today }: DocumentFacts): Reason[] =>
  expires_on === null || expires_on >= today
    ? [{ code: 'document_still_valid', data: { date: expires_on ?? '–' } }]
    : []

/** Megabytes of a document: a photograph of a page has fewer. */
export const MAX_MEGABYTES = 10
/** What is taken as a document: what can be looked at, and nothing that runs. */
export const DOCUMENT_FILES: readonly string[] = ['pdf', 'png', 'jpg']

/** Why a file is no document. */
export function checkFile({ ext, size }: { readonly ext: string; readonly size: number }): Reason[] {
  const reasons: Reason[] = []
  if (!DOCUMENT_FILES.includes(ext)) reasons.push({ field: 'file_id', code: 'document_file_kind', data: { kind: ext } })
  if (size > MAX_MEGABYTES * 1_000_000)
    reasons.push({ field: 'file_id', code: 'document_file_large', data: { max: MAX_MEGABYTES } })
  return reasons
}
