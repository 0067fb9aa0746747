/** Programs that admissions offer, with their seats. */
import { sql } from 'kysely'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { firstRow } from '#db/rows.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { admissionProgram, admissionProgramCalls as calls } from './admission-program.contract.ts'
import { checkAdmissionProgram, type AdmissionProgramFacts } from './admission-program.rules.ts'

/** Programs of admissions belong where their program does. */
export const admissionProgramReach = (alias = 't') => {
  const program = sql.ref(`${alias}.program_id`)
  return {
    faculty: sql`(select p.faculty_id from programs p where p.id = ${program})`,
    department: sql`(select p.department_id from programs p where p.id = ${program})`,
    bylaw: sql`(select p.bylaw_id from programs p where p.id = ${program})`,
    program,
  } satisfies ScopeParts
}

const PLACE = admissionProgramReach('c')
interface Offered {
  applicant_type: number
  has_exam: boolean
  admission_code: string
  program_code: string
  study_level: string | null
  in_admission: boolean
}
const numberOf = (value: unknown): number | null => (value == null ? null : Number(value))

export const admissionPrograms = workings(admissionProgram, {
  scope: {
    faculty: () => admissionProgramReach().faculty,
    department: () => admissionProgramReach().department,
    bylaw: () => admissionProgramReach().bylaw,
    program: () => admissionProgramReach().program,
  },
  computed: { faculty_id: '(select p.faculty_id from programs p where p.id = t.program_id)' },
  search: ['t.search_text', '(select p.search_text from programs p where p.id = t.program_id)'],
  lookups: ['admission_id', 'faculty_id'],
  // Who wants it was shown it: it is closed to others, and does not vanish.
  async beforeRemove(_ctx, tx, id) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from admission_programs x
      join applicants t on t.admission_id = x.admission_id and t.removed_at is null and t.status <> 'CANCELLED'
      join applicant_preferences w on w.applicant_id = t.id and w.program_id = x.program_id where x.id = ${id}`.execute(
      tx,
    )
    const { count } = firstRow(rows)
    if (count) throw refuse(409, 'admission_program_wished', { count })
  },
  async beforeWrite(_ctx, tx, merged, current) {
    const { admission_id, program_id } = merged
    // A cell of a sheet may say something else: it is told by itself.
    if (typeof admission_id !== 'number' || typeof program_id !== 'number') return
    // An admission that is being removed waits for this, or this for it.
    const { rows } = await sql<Offered>`
      select a.applicant_type, a.has_exam, a.code as admission_code, p.code as program_code, p.study_level, b.in_admission
      from admissions a, programs p join bylaws b on b.id = p.bylaw_id
      where a.id = ${admission_id} and a.removed_at is null and p.id = ${program_id} for share of a`.execute(tx)
    const offered = rows[0]
    if (!offered) throw refuse(422, 'not_found', {}, 'admission_id')
    merged.code ??= `${offered.admission_code}-${offered.program_code}`
    const reasons: Reason[] = checkAdmissionProgram({
      applicant_type: offered.applicant_type,
      has_exam: offered.has_exam,
      study_level: offered.study_level,
      // What stands already is not taken away by a bylaw that closes: its seats can still be changed.
      in_admission: offered.in_admission || current !== null,
      capacity: Number(merged.capacity),
      min_exam: merged.min_exam != null,
      min_age: numberOf(merged.min_age),
      max_age: numberOf(merged.max_age),
      gender: numberOf(merged.gender),
      certificates: (merged.certificates ?? []) as string[],
      subjects: (merged.subjects ?? []) as AdmissionProgramFacts['subjects'],
      quotas: ((merged.quotas ?? []) as AdmissionProgramFacts['quotas']).map((one) => ({
        quota_group: one.quota_group,
        reserved: one.reserved ?? null,
        maximum: one.maximum ?? null,
      })),
    })
    if (!current) {
      const { rows: twice } = await sql<{ there: boolean }>`select exists (select from admission_programs
        where admission_id = ${admission_id} and program_id = ${program_id} and removed_at is null) as there`.execute(
        tx,
      )
      if (firstRow(twice).there) reasons.push({ field: 'program_id', code: 'admission_program_once' })
    } else {
      const { rows: held } = await sql<{ count: number }>`select count(*)::int as count from applicants t
        where t.admission_id = ${admission_id} and t.program_id = ${program_id}`.execute(tx)
      const { count } = firstRow(held)
      if (Number(merged.capacity) < count)
        reasons.push({ field: 'capacity', code: 'admission_program_taken', data: { count } })
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

interface Candidate {
  program_id: number
  code: string | null
  name: string
  name_local: string
  capacity: number | null
  fits: boolean
  like: Record<string, unknown> | null
}
/** Programs that an admission could offer and does not, within reach; with what they ask for in another admission, if they come from there. */
const CANDIDATES = (admission: number, from: number | null, faculty: number | null) => sql`
  select p.id as program_id, p.code, p.name, p.name_local, coalesce(x.capacity, p.admission_capacity) as capacity,
    b.in_admission and (coalesce(p.study_level, 'undergraduate') = 'postgraduate') = (a.applicant_type >= 4) as fits,
    case when x.id is not null then jsonb_build_object('is_open', x.is_open, 'min_percentage', x.min_percentage::text,
      'min_exam', case when a.has_exam then x.min_exam::text end, 'min_age', x.min_age, 'max_age', x.max_age, 'gender', x.gender,
      'certificates', x.certificates, 'last_cut_off', x.last_cut_off::text,
      'quotas', coalesce((select jsonb_agg(jsonb_build_object('quota_group', q.quota_group, 'reserved', q.reserved, 'maximum', q.maximum)
        order by q.position) from admission_quotas q where q.admission_program_id = x.id), '[]'),
      'subjects', coalesce((select jsonb_agg(jsonb_build_object('certificate_subject_id', s.certificate_subject_id,
        'min_percentage', s.min_percentage::text) order by s.position) from admission_program_subjects s
        where s.admission_program_id = x.id), '[]')) end as "like"
  from admissions a join programs p on p.removed_at is null join bylaws b on b.id = p.bylaw_id
  left join admission_programs x on x.program_id = p.id and x.admission_id = ${from}::int and x.removed_at is null
  where a.id = ${admission} and (${from}::int is null or x.id is not null)
    and (${from}::int is not null or b.in_admission) and (${faculty}::int is null or p.faculty_id = ${faculty}::int)
    and not exists (select from admission_programs o where o.admission_id = a.id and o.program_id = p.id and o.removed_at is null)`

export const admissionProgramHandlers: readonly Handled[] = [
  ...admissionPrograms.handlers,
  handle(calls.addMany, (ctx, { body: { admission_id, from_admission_id, faculty_id } }) =>
    ctx.write(async (tx) => {
      const { rows: known } = await sql<{ id: number }>`select id from admissions
        where id = any(${[admission_id, ...(from_admission_id ? [from_admission_id] : [])]}::int[]) and removed_at is null
        order by id for share`.execute(tx)
      for (const [field, id] of Object.entries({ admission_id, from_admission_id }))
        if (id && !known.some((one) => one.id === id)) throw refuse(422, 'not_found', {}, field)
      const reach = scopeCondition(ctx, calls.addMany.permission, {
        faculty: PLACE.faculty,
        department: PLACE.department,
        bylaw: PLACE.bylaw,
        program: PLACE.program,
      })
      const { rows } =
        await sql<Candidate>`select c.* from (${CANDIDATES(admission_id, from_admission_id ?? null, faculty_id ?? null)}) c
        where ${reach} order by c.code`.execute(tx)
      const fitting = rows.filter(({ fits }) => fits)
      for (const { program_id, capacity, like } of fitting)
        await admissionPrograms.insert(ctx, tx, {
          is_open: true,
          ...like,
          admission_id,
          program_id,
          capacity: capacity ?? 0,
        })
      return {
        data: {
          added: fitting.length,
          without_seats: fitting.filter(({ capacity }) => !capacity).length,
          // Whoever asks for all that fits is not told of the others.
          left_out: from_admission_id
            ? rows
                .filter(({ fits }) => !fits)
                .map(({ program_id, code, name, name_local }) => ({ id: program_id, code, name, name_local }))
            : [],
        },
      }
    }),
  ),
]
