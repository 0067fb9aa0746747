/** What a type of certificate says that cannot be true at once: a pure rule. */
import type { Reason } from '#kit/contract/issues.ts'
import { CERTIFICATE_PLACES } from '#areas/common/settings/university/kinds.contract.ts'
import { STAFF_PLACES } from './places.contract.ts'

interface TypeSaid {
  readonly document: string
  readonly body: string | null
  readonly body_local: string | null
  readonly for_students: boolean
  readonly for_graduates: boolean
  readonly for_staff: boolean
  readonly by_hand: boolean
  readonly by_mail: boolean
  readonly electronic: boolean
}

/** Names in braces that nothing fills: another record knows other things. */
const unknownPlaces = (text: string, places: readonly string[]): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!).filter((place) => !places.includes(place))

/** Every reason why a type cannot be kept as it is said. */
export function checkCertificateSetting(type: TypeSaid): Reason[] {
  const reasons: Reason[] = []
  for (const field of ['body', 'body_local'] as const) {
    const text = type[field]?.trim() ?? ''
    if (type.document === 'text' && !text) reasons.push({ field, code: 'required' })
    const unknown = unknownPlaces(text, type.for_staff ? STAFF_PLACES : CERTIFICATE_PLACES)
    if (unknown.length)
      reasons.push({ field, code: 'certificate_place', data: { place: unknown.map((one) => `{${one}}`).join(' ') } })
  }
  if (!type.for_students && !type.for_graduates && !type.for_staff)
    reasons.push({ field: 'for_students', code: 'certificate_type_audience' })
  if (type.for_staff && (type.for_students || type.for_graduates || type.document !== 'text'))
    reasons.push({ field: 'for_staff', code: 'certificate_type_staff' })
  if (!type.by_hand && !type.by_mail && !type.electronic)
    reasons.push({ field: 'by_hand', code: 'certificate_type_delivery' })
  return reasons
}
