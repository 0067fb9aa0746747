import { sql } from 'kysely'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** Code, names, and of whom it is required. */
const KINDS: readonly (readonly [string, string, string, Readonly<Record<string, unknown>>?])[] = [
  ['NID', 'National id card', 'بطاقة الرقم القومي', { nationality: 'egyptian', expires: true, told_days: 60 }],
  ['BIRTH', 'Birth certificate', 'شهادة الميلاد', { is_required: true }],
  [
    'SECONDARY',
    'Secondary school certificate',
    'شهادة الثانوية العامة',
    { is_required: true, study_level: 'undergraduate' },
  ],
  [
    'MILITARY',
    'Military service form',
    'نموذج الموقف من التجنيد',
    { nationality: 'egyptian', gender: 1, from_level: 2 },
  ],
  ['PHOTO', 'Photograph', 'صورة شخصية', { is_required: true }],
  ['PASSPORT', 'Passport', 'جواز السفر', { is_required: true, nationality: 'foreign', expires: true, told_days: 90 }],
  ['MEDICAL', 'Medical examination', 'الكشف الطبي'],
  [
    'DEGREE',
    'Certificate of the first degree',
    'شهادة الدرجة الجامعية الأولى',
    { is_required: true, study_level: 'postgraduate' },
  ],
]

/** Those of who works here: code, names, whose, whether it is required, whether it expires. */
const STAFF_KINDS: readonly (readonly [string, string, string, string, required?: boolean, expires?: boolean])[] = [
  ['STAFF-NID', 'National id card of staff', 'بطاقة الرقم القومي للعاملين', 'staff', true, true],
  ['QUALIFICATION', 'Qualification certificate', 'شهادة المؤهل الدراسي', 'employees', true],
  ['INSURANCE', 'Social insurance form', 'استمارة التأمينات الاجتماعية', 'employees'],
  ['RECORD', 'Criminal record certificate', 'صحيفة الحالة الجنائية', 'staff', false, true],
  ['DOCTORATE', 'Certificate of the highest degree', 'شهادة أعلى درجة علمية', 'instructors', true],
  ['LICENCE', 'Licence to practise the profession', 'ترخيص مزاولة المهنة', 'instructors', false, true],
]

/**
 * Kinds that are required of who entered this year, with what was handed in: nearly everything. Two students still lack their
 * photograph, and some documents wait to be looked at.
 */
export default demoPart(
  ['document_kinds', 'student_documents', 'employee_documents', 'instructor_documents'],
  [
    'students',
    'terms',
    'second_records',
    'student_years',
    'external_transfers',
    'postgraduates',
    'instructors',
    'employee_contracts',
  ],
  async (tx, demo) => {
    const from_term_id = demo.current_terms.current_term
    await insertRows(
      tx,
      'document_kinds',
      KINDS.map(([code, name, name_local, more], i) => ({
        id: i + 1,
        code,
        name,
        name_local,
        from_term_id,
        nationality: 'all',
        told_days: 30,
        gender: null,
        study_level: null,
        from_level: null,
        expires: false,
        ...more,
        is_required: false,
      })),
    )
    await insertRows(
      tx,
      'document_kinds',
      STAFF_KINDS.map(([code, name, name_local, whose, is_required = false, expires = false], i) => ({
        id: KINDS.length + i + 1,
        code,
        name,
        name_local,
        whose,
        is_required,
        expires,
      })),
    )
    await followIds(tx, 'document_kinds')
    const required = KINDS.flatMap(([code, , , more]) => (more?.is_required ? [code] : []))
    // Before they are required: what is there never held anybody.
    await sql`
      insert into student_documents (student_id, kind_id, status, expires_on)
      select s.id, k.id, 'accepted', case when k.expires then ${demo.today}::date + 400 + s.id % 900 end
      from students s join programs p on p.id = s.program_id join terms e on e.id = s.entry_term_id
        join document_kinds k on k.code = any(${required}) join terms f on f.id = k.from_term_id
      where s.removed_at is null and e.start_date >= f.start_date
        and (k.nationality = 'all' or (k.nationality = 'egyptian') = (s.nationality_id = 64))
        and (k.study_level is null or k.study_level = p.study_level)
        and not (k.code = 'PHOTO' and s.id in (select id from students where entry_term_id = ${from_term_id} and removed_at is null
          and level = 1 and is_second_record = false and program_id in (select id from programs where code in ('ACC', 'BUS')) order by id desc limit 2))`.execute(
      tx,
    )
    // Of somebody whose school is no more nobody asks for its certificate.
    await sql`
      update student_documents set status = 'waived' where id in (
        select d.id from student_documents d join document_kinds k on k.id = d.kind_id and k.code = 'SECONDARY' order by d.id desc limit 3)`.execute(
      tx,
    )
    await sql`update document_kinds set is_required = true where code = any(${required})`.execute(tx)
    await sql`
      insert into student_documents (student_id, kind_id, asked)
      select h.student_id, h.document_kind_id, true from student_holds h where h.document_kind_id is not null and h.lifted_at is null`.execute(
      tx,
    )
    // What students sent who study for longer: nobody asks for it, somebody looks at it.
    await sql`
      insert into student_documents (student_id, kind_id, status, number, expires_on, created_at)
      select s.id, k.id, x.status, case when k.code = 'NID' then s.national_id end, case when k.expires then ${demo.today}::date + x.days end, now() - make_interval(hours => x.hours)
      from (values (0, 'NID', 'handed_in', 900, 70), (1, 'MEDICAL', 'handed_in', 0, 49), (2, 'NID', 'handed_in', 40, 26), (3, 'MEDICAL', 'rejected', 0, 200),
          (0, 'MEDICAL', 'accepted', 0, 900), (4, 'NID', 'accepted', 20, 9000), (5, 'NID', 'outdated', -12, 26000), (6, 'NID', 'accepted', -1, 20000),
          (7, 'NID', 'accepted', -1, 20000), (8, 'NID', 'accepted', -1, 20000)) as x (place, code, status, days, hours)
        join document_kinds k on k.code = x.code
        join (select id, national_id, row_number() over (order by id) - 1 as place from students
          where removed_at is null and status = 'studying' and nationality_id = 64 and not is_second_record) s on s.place = x.place`.execute(
      tx,
    )
    // Of who works here nearly everything is there; some of it is to be looked at, runs out, or could not be read.
    for (const [of, people, whose] of [
      ['employee', sql`select u.id from users u where u.type = 2 and u.removed_at is null`, ['employees', 'staff']],
      ['instructor', sql`select i.id from instructors i where i.removed_at is null`, ['instructors', 'staff']],
    ] as const) {
      const [table, holder] = [sql.table(`${of}_documents`), sql.ref(`${of}_id`)]
      await sql`
        insert into ${table} (${holder}, kind_id, status, number, expires_on, created_at)
        select p.id, k.id, x.status, case when k.expires then lpad((p.id * 7919 % 99991)::text, 6, '0') end,
          case when k.expires then ${demo.today}::date + case x.status when 'outdated' then -20 else case p.id % 9 when 4 then 18 when 7 then -1 else 200 + p.id % 700 end end end,
          now() - make_interval(hours => 20 + (p.id * 37 + k.id * 11) % 900)
        from (${people}) p join document_kinds k on k.whose = any(${[...whose]})
          cross join lateral (select case when (p.id * 5 + k.id) % 13 = 0 then null when (p.id + k.id) % 11 = 0 then 'handed_in'
            when (p.id + k.id) % 17 = 0 then 'rejected' when k.expires and (p.id + k.id) % 19 = 0 then 'outdated' else 'accepted' end as status) x
        where x.status is not null and (k.is_required or (p.id + k.id) % 3 = 0)`.execute(tx)
      // Ran out yesterday: tonight they end by themselves.
      await sql`
        insert into ${table} (${holder}, kind_id, status, number, expires_on, created_at)
        select p.id, k.id, 'accepted', lpad((p.id * 7907 % 99991)::text, 6, '0'), ${demo.today}::date - 1, now() - interval '300 days'
        from (${people}) p join document_kinds k on k.code = 'RECORD'
        where not exists (select from ${table} d where d.${holder} = p.id and d.kind_id = k.id) order by p.id limit 3`.execute(
        tx,
      )
      const name = `${of}Document`
      await sql`insert into step_history (workflow, record_id, at, action, from_state, to_state, reason)
        select ${name}, d.id, d.created_at, 'begin', null, 'handed_in', null from ${table} d
        union all select ${name}, d.id, d.created_at + interval '3 hours',
          case d.status when 'rejected' then 'reject' else 'accept' end, 'handed_in', case d.status when 'rejected' then 'rejected' else 'accepted' end,
          case d.status when 'rejected' then 'النسخة غير مقروءة، أعد رفعها.' end from ${table} d where d.status <> 'handed_in'
        union all select ${name}, d.id, d.created_at + interval '9 hours', 'expire', 'accepted', 'outdated', null
          from ${table} d where d.status = 'outdated' order by 3`.execute(tx)
    }
    await sql`insert into step_history (workflow, record_id, at, action, from_state, to_state, reason)
      select 'studentDocument', d.id, d.created_at, 'begin', null, case when d.status = 'accepted' then 'accepted' else 'handed_in' end, null
      from student_documents d`.execute(tx)
    await sql`insert into step_history (workflow, record_id, at, action, from_state, to_state, reason)
      select 'studentDocument', d.id, d.created_at + interval '3 hours', case d.status when 'rejected' then 'reject' else 'expire' end,
        case d.status when 'rejected' then 'handed_in' else 'accepted' end, d.status,
        case d.status when 'rejected' then 'الصورة غير واضحة، أعد تصوير الصفحة كاملة.' end
      from student_documents d where d.status in ('rejected', 'outdated')`.execute(tx)
  },
)
