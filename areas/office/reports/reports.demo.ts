import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import type { Tx } from '#db/connect.ts'
import { EVERYTHING, demoPart } from '#demo/part.ts'
import { checkDigit } from '#demo/people.ts'
import type { DemoUniversity } from '#demo/model.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'

/** How many entered in each of the years before those whose records are complete here. */
const ENTERED = [58, 66, 71, 79, 88] as const

/** Years, terms and people of before: nearly all have graduated, the others left, and reports tell how many of each. */
async function earlierCohorts(tx: Tx, demo: DemoUniversity): Promise<void> {
  const first = Number(demo.years[0]!.code)
  for (const [i, count] of ENTERED.entries()) {
    const year = first - ENTERED.length + i
    const { rows } = await sql<{ id: number; n: number; late: boolean }>`
      with y as (insert into years (code, name, name_local, start_date, end_date)
          values (${`${year}`}, ${`${year}/${year + 1}`}, ${`${year}/${year + 1}`}, ${`${year}-09-01`}::date, ${`${year + 1}-08-31`}::date) returning id),
        t as (insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
          select id, ${`F${year}`}, ${`Fall ${year}`}, ${`فصل الخريف ${year}`}, 'fall', ${`${year}-09-21`}::date, ${`${year + 1}-01-09`}::date from y returning id),
        p as (select p.*, b.program_type = 'credit_hours' as by_hours, row_number() over (order by p.id) - 1 as place, count(*) over () as programs
          from programs p join bylaws b on b.id = p.bylaw_id where p.study_level = 'undergraduate' and p.semesters = 8 and p.removed_at is null),
        a as (select s.*, row_number() over (order by s.id) as n, count(*) over () as people from students s
          where s.removed_at is null and not s.is_second_record and s.status = 'studying' and s.nationality_id = 64 and s.gender is not null),
        made as (insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, entry_term_id, level, gender, nationality_id, birth_date,
            gpa, passed_hours, entry_standing)
          select ${`OLD${year % 100}-`} || lpad(g.n::text, 4, '0'),
            split_part(a.name, ' ', 1) || ' ' || split_part(b.name, ' ', 1) || ' ' || split_part(c.name, ' ', -1),
            split_part(a.name_local, ' ', 1) || ' ' || split_part(b.name_local, ' ', 1) || ' ' || split_part(c.name_local, ' ', -1),
            p.faculty_id, p.id, p.bylaw_id, (select id from t), 4, a.gender,
            case when g.n % 11 = 0 then (array[207, 213, 243, 111, 168])[1 + g.n / 11 % 5] else 64 end,
            make_date(${year - 18}, 1 + (g.n * 7) % 12, 1 + (g.n * 13) % 28), f.gpa, f.hours,
            jsonb_build_object('gpa', f.gpa, 'passed_hours', f.hours, 'warnings', 0, 'level', 4)
          from generate_series(1, ${count}::int) g(n)
            join p on p.place = (g.n * 3 + ${i}) % p.programs
            join a on a.n = 1 + (g.n * 31 + ${i} * 97) % a.people
            join a b on b.gender = 1 and b.n = (select x.n from a x where x.gender = 1 and x.n >= 1 + (g.n * 53 + ${i} * 41) % (x.people - 9) order by x.n limit 1)
            join a c on c.n = 1 + (g.n * 71 + ${i} * 29) % c.people
            cross join lateral (select case when p.by_hours then round((2.05 + ((g.n * 37 + ${i} * 11) % 180) / 100.0)::numeric, 2) end as gpa,
              case when p.by_hours then p.min_credit_hours else 0 end as hours) f
          returning id)
      select id, row_number() over (order by id)::int as n, ${year + 5} <= extract(year from ${demo.today}::date) as late from made order by id`.execute(
      tx,
    )
    const of = (wanted: (luck: number) => boolean) =>
      rows.filter(({ n }) => wanted((n * 7919 + i * 13) % 100)).map(({ id }) => id)
    const late = firstRow(rows).late
    const decided = (to: 'graduated' | 'withdrawn' | 'dismissed' | 'transferred', decision: string, on: string) =>
      ({ to, decision, decided_on: on, source: 'earlier' }) as const
    const graduated = 'Graduated before this system was used'
    await decideStatus(
      null,
      tx,
      of((luck) => luck < 71),
      decided('graduated', graduated, `${year + 4}-07-10`),
    )
    await decideStatus(
      null,
      tx,
      of((luck) => luck >= 71 && luck < 84),
      late
        ? decided('graduated', graduated, `${year + 5}-02-12`)
        : decided('withdrawn', 'Left before this system was used', `${year + 2}-10-03`),
    )
    await decideStatus(
      null,
      tx,
      of((luck) => luck >= 84 && luck < 91),
      decided('withdrawn', 'Left in the first year', `${year + 1}-02-20`),
    )
    await decideStatus(
      null,
      tx,
      of((luck) => luck >= 91 && luck < 97),
      decided('dismissed', 'Dismissed before this system was used', `${year + 2}-07-15`),
    )
    await decideStatus(
      null,
      tx,
      of((luck) => luck >= 97),
      decided('transferred', 'Left for another university', `${year + 1}-07-02`),
    )
  }
}

/** National ids of those of earlier cohorts who are Egyptian: of their day and gender, in Cairo. */
async function nationalIds(tx: Tx): Promise<void> {
  const { rows } = await sql<{
    id: number
    day: string
    gender: number
  }>`select id, birth_date::text as day, gender from students
    where nationality_id = 64 and national_id is null and birth_date is not null and gender is not null and code like 'OLD%' order by id`.execute(
    tx,
  )
  const ids = rows.map(({ day, gender }, n) => {
    const [year = '', month = '', date = ''] = day.split('-')
    // Serials behind those of all others; their last figure is odd of men.
    const serial = String(9000 + 2 * (n % 400) + (gender === 1 ? 1 : 0))
    const thirteen = `${year < '2000' ? 2 : 3}${year.slice(2)}${month}${date}01${serial}`
    return `${thirteen}${checkDigit(thirteen)}`
  })
  await sql`update students s set national_id = x.national_id from unnest(${rows.map(({ id }) => id)}::int[], ${ids}::text[]) as x (id, national_id)
    where s.id = x.id`.execute(tx)
}

/** Visas and residence permits of foreigners: some end soon, some have ended, some were never handed in. */
async function permits(tx: Tx, demo: DemoUniversity): Promise<void> {
  await sql`insert into document_kinds (code, name, name_local, nationality, expires, told_days) values
    ('VISA', 'Student visa', 'تأشيرة دراسة', 'foreign', true, 60), ('RESIDENCE', 'Residence permit', 'تصريح إقامة', 'foreign', true, 60)`.execute(
    tx,
  )
  await sql`with made as (
      insert into student_documents (student_id, kind_id, status, number, expires_on, created_at)
      select s.id, k.id, case when x.days < 0 then 'outdated' when (s.id + k.id) % 13 = 0 then 'handed_in' else 'accepted' end,
        upper(left(k.code, 1)) || lpad((s.id * 7919 % 999983)::text, 6, '0'), ${demo.today}::date + x.days, now() - make_interval(days => 200 + s.id % 100)
      from students s join document_kinds k on k.code in ('VISA', 'RESIDENCE')
        cross join lateral (select (s.id * 37 + k.id * 53) % 420 - 24 as days) x
      where s.removed_at is null and s.status = 'studying' and s.nationality_id <> 64 and (s.id * 5 + k.id) % 8 <> 0
      returning id, status, created_at)
    insert into step_history (workflow, record_id, at, action, from_state, to_state, reason)
    select 'studentDocument', m.id, m.created_at, 'begin', null, 'handed_in', null from made m
    union all select 'studentDocument', m.id, m.created_at + interval '3 hours', 'accept', 'handed_in', 'accepted', null from made m where m.status <> 'handed_in'
    union all select 'studentDocument', m.id, m.created_at + interval '9 hours', 'expire', 'accepted', 'outdated', null from made m where m.status = 'outdated'
    order by 3`.execute(tx)
  // Ended yesterday: tonight they end by themselves.
  await sql`update student_documents set expires_on = ${demo.today}::date - 1 where id in (select d.id from student_documents d
    join document_kinds k on k.id = d.kind_id and k.code in ('VISA', 'RESIDENCE') where d.status = 'accepted' order by d.id desc limit 3)`.execute(
    tx,
  )
}

/** Courses that students dropped in the first days of the term: as classmates have them. */
async function dropped(tx: Tx, demo: DemoUniversity): Promise<void> {
  const term = demo.current_terms.current_term
  const [fresh, taken, asked, gone] = [flag.Fresh, flag.Registered, flag.DropRequest, flag.Dropped].map(String)
  await sql`
    with mine as (select s.id, s.program_id, s.level, row_number() over (partition by s.program_id order by s.id desc) as n from students s
        where s.status = 'studying' and s.removed_at is null and exists (select from registrations r where r.student_id = s.id and r.term_id = ${term})),
      chosen as (select distinct on (m.id) m.id as student_id, o.id as offering_id, o.course_id, r.credit_hours
        from mine m join mine c on c.program_id = m.program_id and c.level = m.level and c.id <> m.id
          join registrations r on r.student_id = c.id and r.term_id = ${term} join offerings o on o.id = r.offering_id
        where m.n % 17 = 3 and not exists (select from registrations x where x.student_id = m.id and x.course_id = r.course_id)
        order by m.id, (o.id * 31 + m.id) % 7, o.id),
      made as (insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status, created_at)
        select student_id, offering_id, ${term}, course_id, credit_hours, ${gone}::bigint | ${fresh}::bigint, now() - interval '5 days' from chosen
        returning id, student_id, offering_id, created_at)
    insert into registration_history (registration_id, student_id, offering_id, at, action, from_status, to_status, reason)
    select m.id, m.student_id, m.offering_id, m.created_at, 'enroll', null, ${taken}::bigint | ${fresh}::bigint, 'demo university' from made m
    union all select m.id, m.student_id, m.offering_id, m.created_at + interval '1 day', 'drop', ${taken}::bigint | ${fresh}::bigint, ${asked}::bigint | ${fresh}::bigint, null from made m
    union all select m.id, m.student_id, m.offering_id, m.created_at + interval '2 days', 'accept', ${asked}::bigint | ${fresh}::bigint, ${gone}::bigint | ${fresh}::bigint, null from made m
    order by 4`.execute(tx)
}

/** What reports need beside the rest, so that they tell something: those who left long ago, permits that end, dropped courses. */
export default demoPart(
  ['earlier_cohorts'],
  // What others choose of the graduates, terms and documents there are was chosen before these come.
  [EVERYTHING],
  async (tx, demo) => {
    await earlierCohorts(tx, demo)
    await nationalIds(tx)
    await permits(tx, demo)
    await dropped(tx, demo)
  },
)
