/** What a type of certificate says that cannot be true at once: a pure rule. */
import type { Reason } from '#kit/contract/issues.ts'
import { CERTIFICATE_PLACES } from '#areas/common/settings/university/kinds.contract.ts'

interface TypeSaid {
  readonly document: string
  readonly body: string | null
  readonly body_local: string | null
  readonly for_students: boolean
  readonly for_graduates: boolean
  readonly by_hand: boolean
  readonly by_mail: boolean
  readonly electronic: boolean
}

/** Names in braces that nothing fills. */
const unknownPlaces = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)]
    .map((found) => found[1]!)
    .filter((place) => !(CERTIFICATE_PLACES as readonly string[]).includes(place))

/** Every reason why a type cannot be kept as it is said. */
export function checkCertificateSetting(type: TypeSaid): Reason[] {
  const reasons: Reason[] = []
  for (const field of ['body', 'body_local'] as const) {
    const text = type[field]?.trim() ?? ''
    if (type.document === 'text' && !text) reasons.push({ field, code: 'required' })
    const unknown = unknownPlaces(text)
    if (unknown.length)
      reasons.push({ field, code: 'certificate_place', data: { place: unknown.map((one) => `{${one}}`).join(' ') } })
  }
  if (!type.for_students && !type.for_graduates)
    reasons.push({ field: 'for_students', code: 'certificate_type_audience' })
  if (!type.by_hand && !type.by_mail && !type.electronic)
    reasons.push({ field: 'by_hand', code: 'certificate_type_delivery' })
  return reasons
}
