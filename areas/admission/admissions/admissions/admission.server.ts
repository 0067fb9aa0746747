/** Admissions: how they are set up, and what keeps one from being removed. */
import { sql } from 'kysely'
import { dayOf } from '#kit/contract/day.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { firstRow } from '#db/rows.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { admission } from './admission.contract.ts'
import { checkAdmission, type AdmissionFacts } from './admission.rules.ts'

/** SQL of where an admission stands now. */
export const admissionState = (alias: string): string =>
  `case when now() < ${alias}.opens_at then 'planned' when now() < ${alias}.closes_at then 'open' else 'closed' end`

const hundredths = (value: unknown): number => Math.round(Number(value ?? 0) * 100)
const instantOf = (value: unknown): number => new Date(String(value)).getTime()

export const admissions = workings(admission, {
  computed: {
    state: admissionState('t'),
    programs: '(select count(*)::int from admission_programs p where p.admission_id = t.id and p.removed_at is null)',
    seats:
      '(select coalesce(sum(p.capacity), 0)::int from admission_programs p where p.admission_id = t.id and p.removed_at is null and p.is_open)',
  },
  abilities: {
    remove: (row) => (row.programs ? { code: 'admission_has_programs', data: { count: row.programs } } : true),
  },
  async beforeRemove(_ctx, tx, id) {
    // Nobody adds a program meanwhile: that locks the admission too.
    await sql`select from admissions where id = ${id} for update`.execute(tx)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from admission_programs
      where admission_id = ${id} and removed_at is null`.execute(tx)
    const { count } = firstRow(rows)
    if (count) throw refuse(409, 'admission_has_programs', { count })
  },
  async beforeWrite(_ctx, tx, merged, current) {
    const closes = String(merged.closes_at)
    const ties = (merged.ties ?? []) as { certificate_subject_id?: number | null; criterion: string }[]
    const facts: AdmissionFacts = {
      applicant_type: Number(merged.applicant_type),
      opens_at: instantOf(merged.opens_at),
      closes_at: instantOf(closes),
      results_at: merged.results_at == null ? null : instantOf(merged.results_at),
      closing_day: dayOf(new Date(closes)),
      pay_until: (merged.pay_until as string | null | undefined) ?? null,
      is_early: Boolean(merged.is_early),
      has_exam: Boolean(merged.has_exam),
      min_exam: merged.min_exam != null,
      has_scholarships: Boolean(merged.has_scholarships),
      fees: (merged.fees ?? []) as AdmissionFacts['fees'],
      documents: ((merged.documents ?? []) as AdmissionFacts['documents']).map((one) => ({
        ...one,
        certificate_type_id: one.certificate_type_id ?? null,
      })),
      weight_percentage: hundredths(merged.weight_percentage),
      weight_exam: hundredths(merged.weight_exam),
      subject_weights: ((merged.subject_weights ?? []) as { certificate_subject_id: number; weight: string }[]).map(
        ({ certificate_subject_id, weight }) => ({ certificate_subject_id, weight: hundredths(weight) }),
      ),
      ties: ties.map(({ criterion, certificate_subject_id }) => ({
        criterion,
        certificate_subject_id: certificate_subject_id ?? null,
      })),
    }
    const reasons: Reason[] = checkAdmission(facts)
    const { rows } = await sql<{ name: string; name_local: string }>`select name, name_local from terms
      where id = ${Number(merged.term_id)} and end_date < university_today()`.execute(tx)
    if (rows[0] && merged.term_id !== current?.term_id)
      reasons.push({
        field: 'term_id',
        code: 'admission_term_over',
        data: { term: rows[0].name, term_local: rows[0].name_local },
      })
    // What programs ask of an exam would mean nothing any more.
    if (current && current.has_exam && !facts.has_exam) {
      const { rows: asking } = await sql<{ count: number }>`select count(*)::int as count from admission_programs
        where admission_id = ${current.id} and removed_at is null and min_exam is not null`.execute(tx)
      const { count } = firstRow(asking)
      if (count) reasons.push({ field: 'has_exam', code: 'admission_programs_ask_exam', data: { count } })
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
