/** What a kind of service says that cannot be true at once: pure rules. */
import type { Reason } from '#kit/contract/issues.ts'
import type { ServiceField } from './kind.contract.ts'

type Options = ServiceField['options']

/**
 * The options of a choice as they are typed: a line for each, in English and Arabic with a bar between. Where a line has one
 * language only, it is said in both. What is stored is the English word, by which sheets and people know it again.
 */
export const optionsOf = (typed: string | null): Options =>
  (typed ?? '')
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()))
    .flatMap(([name = '', name_local = '']) =>
      name || name_local
        ? [{ value: name || name_local, name: name || name_local, name_local: name_local || name }]
        : [],
    )

interface FieldSaid {
  readonly name: string
  readonly type: string
  readonly options: string | null
}
interface OfficeSaid {
  readonly name: string
  readonly name_local: string
  readonly role_id: number | null
  readonly user_id: number | null
}
interface KindSaid {
  readonly for_students: boolean
  readonly for_graduates: boolean
  readonly for_staff: boolean
  readonly is_active: boolean
  readonly own_fields: readonly FieldSaid[]
  readonly offices: readonly OfficeSaid[]
}

/** Every reason why a kind cannot be kept as it is said. `may`: whether who holds an office has the right to work on requests. */
export function checkServiceKind(kind: KindSaid, may: (office: OfficeSaid) => boolean = () => true): Reason[] {
  const reasons: Reason[] = []
  if (!kind.for_students && !kind.for_graduates && !kind.for_staff)
    reasons.push({ field: 'for_students', code: 'service_kind_audience' })
  for (const [i, { name, type, options }] of kind.own_fields.entries()) {
    const field = `own_fields.${i}.options`
    const found = optionsOf(options)
    if (type !== 'choice') {
      if (found.length) reasons.push({ field, code: 'service_options_needless', data: { name } })
    } else if (found.length < 2) reasons.push({ field, code: 'service_options_few', data: { name } })
    else if (new Set(found.map(({ value }) => value.toLowerCase())).size < found.length)
      reasons.push({ field, code: 'service_option_twice', data: { name } })
  }
  if (kind.is_active && !kind.offices.length) reasons.push({ field: 'offices', code: 'service_offices_missing' })
  for (const [i, office] of kind.offices.entries()) {
    const { name, name_local } = office
    if ((office.role_id === null) === (office.user_id === null))
      reasons.push({ field: `offices.${i}.role_id`, code: 'service_step_office' })
    else if (!may(office))
      reasons.push({
        field: `offices.${i}.${office.role_id === null ? 'user_id' : 'role_id'}`,
        code: 'service_office_right',
        data: { office: name, office_local: name_local },
      })
  }
  return reasons
}
