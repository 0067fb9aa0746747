/** What stands against a step with a paper of others: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'

/** What a step looks at. */
export interface ElsewhereFacts {
  readonly issuer: string
  readonly issuer_local: string
  readonly email: string | null
}
/** Why the issuer is not asked: nobody knows where. */
export const checkIssuerAsked = (of: ElsewhereFacts): Reason[] =>
  of.email ? [] : [{ code: 'external_no_email', data: { issuer: of.issuer, issuer_local: of.issuer_local } }]

/** What a file says of itself, as far as anybody can know. */
export interface FileFound {
  /** The paper of this university with this content; null: none. */
  readonly own: { readonly serial: string; readonly valid: boolean } | null
  /** A credential or ELMO: whether it holds; null: it is none. */
  readonly credential: { readonly valid: boolean; readonly issuer: string | null; readonly why: string | null } | null
  /** Of a PDF. */
  readonly signature: 'none' | 'broken' | 'intact'
}
export interface FoundByItself {
  readonly result: 'genuine' | 'not_genuine' | 'unknown'
  readonly found: (typeof FOUND)[number]
  readonly remark: string | null
}
export const FOUND = [
  'own',
  'own_revoked',
  'credential',
  'credential_refused',
  'signature_broken',
  'signature_intact',
] as const
/**
 * What is known by the file alone; null: nothing. An intact signature says that nothing was changed, not who signed: the issuer is still
 * asked. A broken one shows that the file was changed after it was signed.
 */
export function foundByItself({ own, credential, signature }: FileFound): FoundByItself | null {
  if (own)
    return {
      result: own.valid ? 'genuine' : 'not_genuine',
      found: own.valid ? 'own' : 'own_revoked',
      remark: own.serial,
    }
  if (credential)
    return credential.valid
      ? { result: 'genuine', found: 'credential', remark: credential.issuer }
      : { result: 'unknown', found: 'credential_refused', remark: credential.why }
  if (signature === 'broken') return { result: 'not_genuine', found: 'signature_broken', remark: null }
  return signature === 'intact' ? { result: 'unknown', found: 'signature_intact', remark: null } : null
}
/** The step that an answer takes. */
export const STEP_OF = { genuine: 'confirm', not_genuine: 'deny', unknown: 'give_up' } as const
