/** What stands against a change of a legal name: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'

/** Largest proof, in bytes; kinds of files that are taken. */
export const PROOF_MOST = 5_000_000
export const PROOF_KINDS = ['pdf', 'png', 'jpg'] as const

/** What a decision stands on. */
export interface NameChangeFacts {
  /** On the record now. */
  readonly name: string
  readonly name_local: string
  /** On the record when it was asked for. */
  readonly old_name: string
  readonly old_name_local: string
}
/** Why it is not accepted: the record bears another name than when it was asked for. */
export const checkNameStands = (of: NameChangeFacts): Reason[] =>
  of.name === of.old_name && of.name_local === of.old_name_local
    ? []
    : [{ code: 'name_change_overtaken', data: { name: of.name, name_local: of.name_local } }]

/** Why a change is not asked for: it is the name that the record bears, or another change is on its way. */
export function checkNameAsked(of: { readonly same: boolean; readonly asked: boolean }): Reason[] {
  const reasons: Reason[] = []
  if (of.same) reasons.push({ field: 'given_name', code: 'name_change_same' })
  if (of.asked) reasons.push({ code: 'name_change_asked_twice' })
  return reasons
}

/** Why a file proves nothing: it is of another kind, or too large to be looked at. */
export function checkNameProof(file: { readonly name: string; readonly ext: string; readonly size: number }): Reason[] {
  const reasons: Reason[] = []
  if (!(PROOF_KINDS as readonly string[]).includes(file.ext))
    reasons.push({ field: 'proof_id', code: 'name_change_proof_kind', data: { name: file.name } })
  if (file.size > PROOF_MOST)
    reasons.push({
      field: 'proof_id',
      code: 'name_change_proof_large',
      data: { name: file.name, max: PROOF_MOST / 1e6 },
    })
  return reasons
}
