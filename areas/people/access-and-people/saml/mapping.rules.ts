/** Which attribute of a provider tells what: judged alike on the screen that sets it and at every sign-in. */
import type { Reason } from '#kit/contract/issues.ts'

/** Names of attributes; null: the identity is the NameID, the others are not told. */
export interface Mapping {
  readonly identity: string | null
  readonly email: string | null
  readonly code: string | null
}

/** What came of a person. */
export interface Came {
  readonly nameId: string | null
  readonly nameIdFormat: string | null
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

export interface Mapped {
  readonly subject: string | null
  readonly email: string | null
  readonly code: string | null
  readonly reasons: readonly Reason[]
}

/** Attributes by which federations tell what (SAML names, and how people call them). */
export const KNOWN_ATTRIBUTES: readonly { readonly name: string; readonly short: string }[] = [
  { name: 'urn:oasis:names:tc:SAML:attribute:pairwise-id', short: 'pairwise-id' },
  { name: 'urn:oasis:names:tc:SAML:attribute:subject-id', short: 'subject-id' },
  { name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10', short: 'eduPersonTargetedID' },
  { name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.13', short: 'eduPersonUniqueId' },
  { name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6', short: 'eduPersonPrincipalName' },
  { name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9', short: 'eduPersonScopedAffiliation' },
  { name: 'urn:oid:0.9.2342.19200300.100.1.3', short: 'mail' },
  { name: 'urn:oid:2.16.840.1.113730.3.1.241', short: 'displayName' },
  { name: 'urn:oid:2.5.4.42', short: 'givenName' },
  { name: 'urn:oid:2.5.4.4', short: 'sn' },
  { name: 'urn:oid:1.3.6.1.4.1.25178.1.2.14', short: 'schacPersonalUniqueCode' },
  { name: 'urn:oid:1.3.6.1.4.1.25178.1.2.9', short: 'schacHomeOrganization' },
  { name: 'http://schemas.microsoft.com/identity/claims/objectidentifier', short: 'objectidentifier (Entra)' },
  { name: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress', short: 'emailaddress (Entra, ADFS)' },
  { name: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn', short: 'upn (ADFS)' },
]
/** How people call an attribute. */
export const shortAttributeOf = (name: string): string =>
  KNOWN_ATTRIBUTES.find((known) => known.name === name)?.short ?? name

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const LONGEST = 500

/** Who it is, by the mapping; `subject` is null where that cannot be told for certain, and why stands in `reasons`. */
export function mapped(came: Came, by: Mapping): Mapped {
  const reasons: Reason[] = []
  const one = (name: string | null): string | null => {
    if (name === null) return null
    const values = came.attributes[name] ?? []
    return values.length === 1 && values[0]!.trim() ? values[0]!.trim() : null
  }
  let subject: string | null
  if (by.identity === null) {
    subject = came.nameId?.trim() || null
    // Another one each time: it names nobody.
    if (subject && came.nameIdFormat === TRANSIENT) {
      reasons.push({ code: 'saml_transient' })
      subject = null
    } else if (!subject) reasons.push({ code: 'saml_unnamed', data: { attribute: 'NameID' } })
  } else {
    subject = one(by.identity)
    if (!subject) reasons.push({ code: 'saml_unnamed', data: { attribute: shortAttributeOf(by.identity) } })
  }
  if (subject && subject.length > LONGEST) {
    reasons.push({
      code: 'saml_unnamed',
      data: { attribute: by.identity === null ? 'NameID' : shortAttributeOf(by.identity) },
    })
    subject = null
  }
  return { subject, email: one(by.email), code: one(by.code), reasons }
}
