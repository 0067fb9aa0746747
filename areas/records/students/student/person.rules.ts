import { EGYPTIAN, isWrongPhone } from '#areas/common/academics/telephone.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** What an Egyptian national id says by itself; null where it says no day that there is. */
export function readNationalId(id: string): { birth_date: string; gender: 1 | 2 } | null {
  const parts = /^([23])(\d\d)(\d\d)(\d\d)\d{5}(\d)\d$/.exec(id)
  if (!parts) return null
  const [, century, year, month, day, sex] = parts as unknown as string[]
  const birth_date = `${century === '2' ? '19' : '20'}${year}-${month}-${day}`
  const at = new Date(`${birth_date}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== birth_date) return null
  return { birth_date, gender: Number(sex) % 2 === 1 ? 1 : 2 }
}

/** What a person is known by, as stored and as it shall be. */
export interface StudentPerson {
  readonly nationality_id?: number | null
  readonly national_id?: string | null
  readonly birth_date?: string | null
  readonly gender?: number | null
  readonly military_status?: string | null
  readonly phone?: string | null
  readonly parent_phone?: string | null
  readonly father_national_id?: string | null
  readonly mother_national_id?: string | null
  readonly guardian_national_id?: string | null
}

const IDENTITY = ['nationality_id', 'national_id', 'birth_date', 'gender'] as const

const PARENTS = ['father_national_id', 'mother_national_id', 'guardian_national_id'] as const

/**
 * Everything that is wrong with who a person is said to be. What is not touched is not judged: records from before a
 * rule, or from another system, can be changed elsewhere. `today`: the day in the university.
 */
export function personProblems(next: StudentPerson, before: StudentPerson | null, today: string): Reason[] {
  const reasons: Reason[] = []
  const changed = (name: keyof StudentPerson): boolean => !before || (next[name] ?? null) !== (before[name] ?? null)
  if (next.gender === 2 && next.military_status != null && changed('military_status'))
    reasons.push({ field: 'military_status', code: 'military_status_of_men' })
  if (next.birth_date != null && next.birth_date > today && changed('birth_date'))
    reasons.push({ field: 'birth_date', code: 'birth_date_future' })
  if (IDENTITY.some(changed)) {
    const { national_id } = next
    if (!national_id) {
      if (next.nationality_id === EGYPTIAN) reasons.push({ field: 'national_id', code: 'national_id_required' })
    } else if (/^\d{14}$/.test(national_id)) {
      const said = readNationalId(national_id)
      if (!said || said.birth_date > today) reasons.push({ field: 'national_id', code: 'national_id_not_valid' })
      else {
        if (next.birth_date != null && next.birth_date !== said.birth_date)
          reasons.push({ field: 'national_id', code: 'national_id_birth_date', data: { date: said.birth_date } })
        if (next.gender != null && next.gender !== said.gender)
          reasons.push({
            field: 'national_id',
            code: said.gender === 1 ? 'national_id_of_man' : 'national_id_of_woman',
          })
      }
    }
  }
  for (const field of PARENTS) {
    const id = next[field]
    if (!id || !changed(field)) continue
    const said = readNationalId(id)
    if (!said || said.birth_date > today) reasons.push({ field, code: 'national_id_not_valid' })
    // Who is entered as the own parent would make a family of nobody.
    else if (id === next.national_id) reasons.push({ field, code: 'parent_is_student' })
    else if (field === 'father_national_id' && said.gender === 2) reasons.push({ field, code: 'national_id_of_woman' })
    else if (field === 'mother_national_id' && said.gender === 1) reasons.push({ field, code: 'national_id_of_man' })
  }
  for (const field of ['phone', 'parent_phone'] as const)
    if (changed(field) && isWrongPhone(next.nationality_id, next[field]))
      reasons.push({ field, code: 'mobile_11_digits' })
  return reasons
}
