import { gunzipSync } from 'node:zlib'
import type { Reach } from './keys.server.ts'
import { because, instantOf, isObject, listed } from './values.rules.ts'
import type { CredentialReason, JsonObject } from './values.rules.ts'

/** Bytes of a list at most when unpacked: for 33 million credentials. */
const MOST_LIST_BYTES = 4_194_304
/** Verifies a credential in which a list stands: who could change a list could take back a revocation. */
export type VerifyList = (list: unknown) => Promise<boolean>

/**
 * Whether a credential was revoked or suspended. Where nobody can tell it is refused: a credential that was revoked is no other
 * in anything but its status.
 */
export async function checkCredentialStatus(
  credential: JsonObject,
  { reach, verify, at }: { reach: Reach; verify: VerifyList; at: number },
): Promise<CredentialReason[]> {
  const reasons: CredentialReason[] = []
  for (const status of listed(credential.credentialStatus)) {
    if (!isObject(status)) continue
    const [type] = listed(status.type)
    if (type === 'BitstringStatusListEntry' || type === 'StatusList2021Entry')
      reasons.push(...(await checkBit(status, { reach, verify, at, issuer: credential.issuer })))
    else if (type === '1EdTechRevocationList') reasons.push(...(await checkRevocations(status, credential.id, reach)))
    else reasons.push(because('vc_status_unknown', { type: String(type) }))
  }
  return reasons
}

/** A bit in a list (W3C Bitstring Status List 1.0, section 3.2). */
async function checkBit(
  status: JsonObject,
  { reach, verify, at }: { reach: Reach; verify: VerifyList; at: number; issuer: unknown },
): Promise<CredentialReason[]> {
  const { statusListCredential: url, statusListIndex, statusPurpose, statusSize } = status
  const index =
    typeof statusListIndex === 'string' && /^\d{1,12}$/.test(statusListIndex) ? Number(statusListIndex) : null
  if (typeof url !== 'string') return [because('vc_missing', { at: 'credentialStatus.statusListCredential' })]
  if (index === null) return [because('vc_wrong_value', { at: 'credentialStatus.statusListIndex' })]
  if (statusPurpose !== 'revocation' && statusPurpose !== 'suspension')
    return [because('vc_status_unknown', { type: String(statusPurpose) })]
  if (statusSize !== undefined && statusSize !== 1) return [because('vc_status_unknown', { type: 'statusSize' })]
  const unreachable = [because('vc_status_unreachable', { url })]
  const list = await reach(url)
  if (!isObject(list) || !(await verify(list))) return unreachable
  const from = instantOf(list.validFrom)
  const until = instantOf(list.validUntil)
  if ((from !== null && from > at) || (until !== null && until <= at)) return unreachable
  const [subject] = listed(list.credentialSubject)
  if (!isObject(subject) || !listed(subject.statusPurpose).includes(statusPurpose)) return unreachable
  const bit = bitOf(subject.encodedList, index)
  return bit === null
    ? unreachable
    : bit
      ? [because(statusPurpose === 'revocation' ? 'vc_revoked' : 'vc_suspended')]
      : []
}

/** A bit of a list that is packed and written in base 64; the first bit of a byte is its highest. null: it has no such. */
export function bitOf(encoded: unknown, index: number): boolean | null {
  if (typeof encoded !== 'string') return null
  try {
    const bits = gunzipSync(Buffer.from(encoded.replace(/^u/, ''), 'base64url'), { maxOutputLength: MOST_LIST_BYTES })
    const byte = bits[index >> 3]
    return byte === undefined ? null : (byte & (0x80 >> (index & 7))) !== 0
  } catch {
    return null
  }
}
/** A list of bits as it is published: at least 131,072 of them, so that one credential hides among many. */
export const LEAST_BITS = 131_072

/** A list of what was revoked, by id (1EdTech Revocation List 1.0). */
async function checkRevocations(status: JsonObject, id: unknown, reach: Reach): Promise<CredentialReason[]> {
  const url = String(status.id)
  const list = await reach(url)
  if (!isObject(list)) return [because('vc_status_unreachable', { url })]
  const revoked = listed(list.revokedCredential).some(
    (one) => one === id || (isObject(one) && one.id === id && one.revoked !== false),
  )
  return revoked ? [because('vc_revoked')] : []
}
