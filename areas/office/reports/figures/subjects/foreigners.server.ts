import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { EXPIRY_SPANS } from '../dimensions.contract.ts'
import {
  FOREIGN,
  PERSON_OF_STUDENT,
  bothNames,
  people,
  rows,
  share,
  subject,
  sum,
  sqlWordOf,
  type SubjectSql,
} from '../subject.server.ts'
import { NATIONALITY_FACT, PROGRAM_FACT, STUDENT_ROW } from './students.server.ts'

/** How soon what was handed in ends, counted from today. */
const EXPIRY = `case when f.id is null then 'missing' when f.expires_on is null then 'undated'
  when f.expires_on < (select university_today()) then 'expired' when f.expires_on <= (select university_today()) + 30 then 'd30'
  when f.expires_on <= (select university_today()) + 90 then 'd90' when f.expires_on <= (select university_today()) + 180 then 'd180' else 'later' end`

/** Documents of foreigners that expire (passport, visa, permit): one row for each student and kind, the last that was handed in. */
export const permitSubject: SubjectSql<'permit'> = subject('permit', {
  from: sql`students s left join programs p on p.id = s.program_id left join countries n on n.id = s.nationality_id
    join document_kinds k on k.expires and k.whose = 'students' and k.nationality = 'foreign' and k.removed_at is null
    left join lateral (select x.id, x.expires_on from student_documents x where x.student_id = s.id and x.kind_id = k.id
      and x.removed_at is null and x.status in ('handed_in', 'accepted', 'outdated') order by x.id desc limit 1) f on true`,
  where: sql`s.removed_at is null and s.status = 'studying' and ${FOREIGN} and not exists (select from student_documents w
    where w.student_id = s.id and w.kind_id = k.id and w.removed_at is null and w.status = 'waived')`,
  reach: (ctx, key) => scopeCondition(ctx, key, studentReach(ctx, 's')),
  person: PERSON_OF_STUDENT,
  dimensions: {
    document: sql`k.id`,
    expiry: sql.raw(EXPIRY),
    expiry_month: sql`to_char(f.expires_on, 'YYYY-MM')`,
    nationality: sql`s.nationality_id`,
    gender: sql`s.gender`,
    faculty: sql`s.faculty_id`,
    program: sql`s.program_id`,
    level: sql`s.level`,
  },
  measures: {
    permits: rows(sql`f.id is not null`),
    permits_missing: rows(sql`f.id is null`),
    permits_expired: rows(sql`f.expires_on < (select university_today())`),
    permits_soon: rows(sql`f.expires_on between (select university_today()) and (select university_today()) + 90`),
  },
  row: {
    ...STUDENT_ROW,
    to: sql`'/students/' || s.id || '?tab=documents'`,
    order: sql`f.expires_on nulls first, s.code, k.code`,
    facts: [
      { fact: 'document', of: bothNames('k') },
      { fact: 'valid_until', of: sql`f.expires_on::text` },
      { fact: 'ends', of: sqlWordOf(`(${EXPIRY})`, EXPIRY_SPANS) },
      NATIONALITY_FACT,
      PROGRAM_FACT,
    ],
  },
})
/** Invoices of foreigners in dollars, after their notes; a reversed one charges nothing. They count where they were issued. */
export const foreignInvoiceSubject: SubjectSql<'foreign_invoice'> = subject('foreign_invoice', {
  from: sql`invoices i join payers q on q.id = i.payer_id join students s on s.id = q.student_id
    join invoice_balances b on b.invoice_id = i.id left join programs p on p.id = i.program_id
    left join countries n on n.id = s.nationality_id`,
  where: sql`i.currency = 'USD' and i.reversed_at is null and ${FOREIGN}`,
  reach: (ctx, key) => scopeCondition(ctx, key, studentReach(ctx, 's')),
  person: PERSON_OF_STUDENT,
  dimensions: {
    nationality: sql`s.nationality_id`,
    gender: sql`s.gender`,
    faculty: sql`i.faculty_id`,
    program: sql`i.program_id`,
    year: sql`i.year_id`,
    term: sql`i.term_id`,
    level: sql`i.level`,
  },
  measures: {
    foreign_payers: people(),
    usd_charged: sum(sql`b.charged`),
    usd_paid: sum(sql`b.settled`),
    usd_open: sum(sql`b.charged - b.settled`),
    usd_share: share(sum(sql`b.settled`), sum(sql`b.charged`)),
  },
  row: {
    to: sql`'/payments/' || i.id`,
    code: sql`i.number`,
    name: sql`s.name`,
    name_local: sql`s.name_local`,
    order: sql`i.id desc`,
    facts: [
      { fact: 'charged', of: sql`b.charged` },
      { fact: 'paid', of: sql`b.settled` },
      NATIONALITY_FACT,
      PROGRAM_FACT,
    ],
  },
})
