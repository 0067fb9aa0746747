/** What rows of a sheet are read by, read once for all of them. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { fold } from '#kit/contract/fold.ts'
import { dayOf } from '#kit/contract/day.ts'
import { reasonsOfZod } from '#kit/contract/issues.ts'
import { inputSchema } from '#kit/contract/resource.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { applicant } from '#areas/admission/applicants/applicant/applicant.contract.ts'
import { isApplicantPhone } from '#areas/admission/applicants/apply/read.server.ts'
import type { SheetColumns } from '../sheet.rules.ts'
import type { KnownNames, RowFacts } from './row.rules.ts'

interface Named {
  readonly id: number
  readonly names: readonly (string | null)[]
}
/** Records by what they are called: codes first, then names; what is called alike is nobody's. */
function known(records: readonly Named[]): KnownNames {
  const out = new Map<string, number | null>()
  for (const [place, name] of [0, 1, 2, 3].flatMap((at) => records.map((one) => [one, one.names[at]] as const))) {
    const word = fold(name ?? '')
    if (word === '') continue
    const before = out.get(word)
    if (before === undefined) out.set(word, place.id)
    // A name that is another record's code is the code.
    else if (before !== place.id && place.names[0] !== null && fold(place.names[0] ?? '') !== word) {
      const owner = records.find((one) => one.id === before)
      if (fold(owner?.names[0] ?? '') !== word) out.set(word, null)
    }
  }
  return out
}

const schema = inputSchema(applicant, 'update')
const checkTexts: RowFacts['checkTexts'] = (values) => {
  const read = schema.safeParse(values)
  if (read.success) return { values: read.data as Record<string, unknown>, reasons: [] }
  const reasons = reasonsOfZod(read.error)
  const bad = new Set(reasons.map((one) => one.field))
  return { values: Object.fromEntries(Object.entries(values).filter(([field]) => !bad.has(field))), reasons }
}

/** An admission as rows are read for it. */
export interface ImportedAdmission {
  readonly id: number
  readonly type: number
  readonly max_preferences: number
}

/** Reads what rows of an admission are judged by, for one reader. */
export async function rowFacts(
  ctx: Ctx,
  tx: Tx,
  admission: ImportedAdmission,
  columns: SheetColumns,
  width: number,
): Promise<RowFacts> {
  const { rows } = await sql<{
    programs: (Named & { open: boolean })[]
    countries: Named[]
    communities: (Named & { figures: string | null })[]
    certificates: (Named & {
      max_total: number
      subjects: NonNullable<ReturnType<RowFacts['certificate']['get']>>['subjects']
    })[]
  }>`select
      coalesce((select json_agg(json_build_object('id', p.id, 'names', json_build_array(p.code, p.name, p.name_local), 'open', x.is_open))
        from admission_programs x join programs p on p.id = x.program_id where x.admission_id = ${admission.id} and x.removed_at is null), '[]') as programs,
      coalesce((select json_agg(json_build_object('id', c.id, 'names', json_build_array(c.code, c.name, c.name_local))) from countries c), '[]') as countries,
      coalesce((select json_agg(json_build_object('id', c.id, 'names', json_build_array(c.code, c.name, c.name_local), 'figures', c.national_id_code))
        from communities c where c.removed_at is null), '[]') as communities,
      coalesce((select json_agg(json_build_object('id', c.id, 'names', json_build_array(c.code, c.name, c.name_local), 'max_total', (c.max_total * 100)::int,
          'subjects', coalesce((select json_agg(json_build_object('certificate_subject_id', s.certificate_subject_id, 'max_mark', (s.max_mark * 100)::int,
            'is_required', s.is_required, 'is_counted', s.is_counted) order by s.position)
            from certificate_type_subjects s where s.certificate_type_id = c.id), '[]')))
        from certificate_types c where c.removed_at is null and c.is_active), '[]') as certificates`.execute(tx)
  const { programs, countries, communities, certificates } = firstRow(rows)
  const reached = reachesAll(ctx, 'import_applicant')
    ? null
    : new Set(
        (
          await sql<{ id: number }>`select p.id from programs p where ${scopeCondition(ctx, 'import_applicant', {
            faculty: sql`p.faculty_id`,
            department: sql`p.department_id`,
            bylaw: sql`p.bylaw_id`,
            program: sql`p.id`,
          })}`.execute(tx)
        ).rows.map(({ id }) => id),
      )
  return {
    type: admission.type,
    columns,
    width,
    programs: known(programs),
    countries: known(countries),
    communities: known(communities),
    certificates: known(certificates),
    certificate: new Map(certificates.map(({ id, max_total, subjects }) => [id, { max_total, subjects }])),
    figures: new Map(communities.flatMap(({ id, figures }) => (figures === null ? [] : [[figures, id] as const]))),
    open: new Set(programs.flatMap(({ id, open }) => (open ? [id] : []))),
    reached,
    today: dayOf(),
    max_preferences: admission.max_preferences,
    isPhone: (value) => /^01[0125]\d{8}$/.test(value) || isApplicantPhone(value),
    checkTexts,
  }
}
