import { sql } from 'kysely'
import { addDays, instantAt } from '#kit/contract/day.ts'
import { firstRow } from '#db/rows.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

const POUND = 100
const DECLARATIONS = [
  ['What I have written is true, and I answer for it.', 'أقر بأن جميع البيانات المسجلة صحيحة وعلى مسؤوليتي.'],
  ['I will hand in the originals of my documents when I am accepted.', 'أتعهد بتقديم أصول المستندات عند القبول.'],
  ['I have read the bylaw of the faculties that I chose.', 'اطلعت على لوائح الكليات التي اخترتها.'],
] as const
/** Fees in minor units, of Egyptians in pounds and of foreigners in dollars. */
const fees = (application: number, exam: number, final: number) =>
  (
    [
      ['application', application],
      ['exam', exam],
      ['final', final],
    ] as const
  ).flatMap(([fee, amount]) =>
    amount
      ? [
          { fee, asked_of: 'egyptian', currency: 'EGP', amount: amount * POUND },
          { fee, asked_of: 'foreign', currency: 'USD', amount: Math.round((amount * POUND) / 25) },
        ]
      : [],
  )

/** Admissions: undergraduates of last year and of this one, transfers, and the postgraduate types, in every state. */
export default demoPart(
  ['admissions', 'admission_programs'],
  ['terms', 'programs', 'document_kinds', 'certificate_types', 'certificate_subjects', 'specializations'],
  async (tx, demo) => {
    const current = demo.current_terms.current_admission_term
    const { rows } = await sql<{ next: number; last: number }>`
      select coalesce((select id from terms where start_date > c.start_date and term_type <> 'summer' order by start_date limit 1), c.id) as next,
        coalesce((select id from terms where start_date < c.start_date and term_type = 'fall' order by start_date desc limit 1), c.id) as last
      from terms c where c.id = ${current}`.execute(tx)
    const { next, last } = firstRow(rows)
    const at = (days: number, time: string) => instantAt(addDays(demo.today, days), time).toISOString()
    const admission = (
      id: number,
      code: string,
      name: string,
      name_local: string,
      applicant_type: number,
      term_id: number,
      days: readonly [opens: number, closes: number],
      more: object = {},
    ) => ({
      id,
      code,
      name,
      name_local,
      applicant_type,
      term_id,
      opens_at: at(days[0], '09:00'),
      closes_at: at(days[1], '18:00'),
      results_at: null,
      pay_until: null,
      is_early: false,
      max_preferences: 10,
      has_exam: false,
      has_interview: false,
      min_exam: null,
      has_scholarships: false,
      weight_percentage: '100',
      weight_exam: '0',
      ...more,
    })
    await insertRows(tx, 'admissions', [
      admission(1, 'UG', 'Undergraduate admission', 'القبول بالمرحلة الجامعية الأولى', 1, next, [-12, 24], {
        pay_until: addDays(demo.today, 45),
        has_scholarships: true,
        weight_percentage: '80',
      }),
      admission(2, 'UG-LAST', "Last year's undergraduate admission", 'قبول العام الماضي', 1, last, [-420, -380], {
        weight_percentage: '80',
      }),
      admission(3, 'TRANSFER', 'Transfers from other universities', 'التحويل من جامعات أخرى', 3, next, [-20, 12], {
        max_preferences: 3,
      }),
      admission(4, 'DIPLOMA', 'Postgraduate diplomas', 'دبلومات الدراسات العليا', 4, next, [15, 60], {
        max_preferences: 2,
      }),
      admission(5, 'MASTER', "Master's degrees", 'الماجستير', 5, next, [-15, 20], {
        max_preferences: 2,
        has_exam: true,
        has_interview: true,
        min_exam: '50',
        weight_percentage: '60',
        weight_exam: '40',
      }),
      admission(6, 'PHD', 'Doctorates', 'الدكتوراه', 6, next, [-15, 20], {
        max_preferences: 1,
        has_exam: true,
        has_interview: true,
        min_exam: '60',
        weight_percentage: '40',
        weight_exam: '60',
      }),
      // Over, its exam sat: seats are given next.
      admission(7, 'UG-EXAM', 'Undergraduate admission by exam', 'القبول باختبار القدرات', 1, next, [-90, -30], {
        has_exam: true,
        min_exam: '40',
        weight_percentage: '50',
        weight_exam: '30',
      }),
    ])
    // Hours are those of the university's clock.
    await sql`update admissions set opens_at = opens_at at time zone 'UTC' at time zone university_zone(),
      closes_at = closes_at at time zone 'UTC' at time zone university_zone()`.execute(tx)
    await followIds(tx, 'admissions')
    const each = <Row extends object>(ids: readonly number[], list: readonly Row[]) =>
      ids.flatMap((admission_id) => list.map((row, position) => ({ admission_id, position, ...row })))
    await insertRows(tx, 'admission_fees', [
      ...each([1, 2], fees(500, 0, 5000)),
      ...each([3], fees(800, 0, 5000)),
      ...each([4], fees(600, 0, 3000)),
      ...each([5, 6], fees(600, 400, 4000)),
    ])
    await insertRows(
      tx,
      'admission_declarations',
      each(
        [1, 2, 3, 4, 5, 6, 7],
        DECLARATIONS.map(([text, text_local]) => ({ text, text_local })),
      ),
    )
    await insertRows(tx, 'admission_subject_weights', each([1, 2, 7], [{ certificate_subject_id: 2, weight: '20' }]))
    const tie = (criterion: string, certificate_subject_id: number | null = null) => ({
      criterion,
      certificate_subject_id,
    })
    await insertRows(tx, 'admission_ties', [
      ...each([1, 2, 7], [tie('percentage'), tie('subject', 2), tie('older'), tie('lot')]),
      ...each([3, 4], [tie('percentage'), tie('earlier'), tie('lot')]),
      ...each([5, 6], [tie('exam'), tie('percentage'), tie('earlier'), tie('lot')]),
    ])
    await sql`insert into admission_documents (admission_id, position, document_kind_id, asked_of, is_required)
      select a.id, x.position, k.id, x.asked_of, x.is_required
      from admissions a, (values (0, 'NID', 'egyptian', true, null), (1, 'PASSPORT', 'foreign', true, null), (2, 'BIRTH', 'all', true, null),
        (3, 'SECONDARY', 'all', true, 'undergraduate'), (4, 'DEGREE', 'all', true, 'postgraduate'), (5, 'PHOTO', 'all', true, null),
        (6, 'MEDICAL', 'all', false, 'undergraduate')) as x (position, code, asked_of, is_required, level)
        join document_kinds k on k.code = x.code
      where x.level is null or (x.level = 'postgraduate') = (a.applicant_type >= 4)`.execute(tx)
    await sql`update bylaws set in_admission = true where id in (select bylaw_id from programs where code = 'MSC-CS')`.execute(
      tx,
    )
    // Two postgraduate programs more, so that each type leads somewhere. Their ids are their own, as those of the general programs are.
    await sql`insert into programs (id, code, name, name_local, bylaw_id, faculty_id, department_id, program_type, study_level, semesters, admission_capacity)
      overriding system value
      select x.id, x.code, x.name, x.name_local, p.bylaw_id, p.faculty_id, p.department_id, p.program_type, 'postgraduate', x.semesters, x.capacity
      from programs p, (values (92, 'DIP-CS', 'Postgraduate Diploma in Computing', 'دبلوم الدراسات العليا في الحوسبة', 2, 40),
        (93, 'PHD-CS', 'Doctor of Philosophy in Computer Science', 'دكتوراه الفلسفة في علوم الحاسب', 6, 8)) as x (id, code, name, name_local, semesters, capacity)
      where p.code = 'MSC-CS'`.execute(tx)
    await followIds(tx, 'programs')
    // Undergraduate programs of bylaws that take new students; seats as the program says, else by their place in the list.
    await sql`insert into admission_programs (admission_id, program_id, code, capacity, is_open, min_percentage, last_cut_off, min_age, max_age)
      select a.id, p.id, a.code || '-' || p.code,
        case when a.applicant_type = 3 then 5 when a.id = 7 then 8 + p.id % 14 else coalesce(p.admission_capacity, 60 + 20 * (p.id % 6)) end, p.is_general or p.id % 9 <> 8,
        case when a.applicant_type = 1 then 60 + (p.id * 11) % 28 end,
        case when a.applicant_type = 1 and a.id = 1 then 66 + (p.id * 11) % 28 + 0.25 * (p.id % 4) end, null, case when a.applicant_type = 1 then 23 end
      from admissions a join programs p on p.removed_at is null join bylaws b on b.id = p.bylaw_id and b.in_admission
      where a.applicant_type in (1, 3) and not (a.id = 2 and p.id in (1, 2, 3)) and not (a.id = 7 and p.id % 3 = 0) and coalesce(p.study_level, 'undergraduate') = 'undergraduate'
        or a.applicant_type >= 4 and p.code = case a.applicant_type when 4 then 'DIP-CS' when 5 then 'MSC-CS' else 'PHD-CS' end
      order by a.id, p.id`.execute(tx)
    await sql`insert into admission_quotas (admission_program_id, position, quota_group, reserved, maximum)
      select x.id, q.position, q.quota_group, q.reserved, q.maximum from (select id, row_number() over (order by id) as place from admission_programs
        where admission_id = 1 and capacity >= 40 or admission_id = 7) x
      join (values (0, 0, 'egyptian', null, null), (1, 0, 'foreign', 5, 10), (2, 0, 'azhar', 4, null), (2, 1, 'technical', null, 4)) as q (kind, position, quota_group, reserved, maximum)
        on q.kind = x.place % 3 where q.kind > 0`.execute(tx)
    await sql`insert into admission_program_subjects (admission_program_id, position, certificate_subject_id, min_percentage)
      select x.id, 0, 2, 70 from admission_programs x join programs p on p.id = x.program_id
      where x.admission_id = 1 and p.code in ('CS', 'AI', 'CE')`.execute(tx)
  },
)
