import { sql } from 'kysely'
import { flag, seatMask } from '#areas/common/academics/status.rules.ts'
import { insertRows } from '#db/bulk.ts'
import { demoPart, insertNew } from '#demo/part.ts'
import { nextCase } from './absences/absence.rules.ts'
import type { CaseState } from './absences/absence.rules.ts'
import { readStandings } from './absences/shares.server.ts'

/** Offerings of a term whose lists are kept: not everybody keeps them. */
const OFFERINGS = 60
const BATCH_OF_CASES = 400
/** Offerings of the term before. */
const BEFORE = 6
const SEATED = String(seatMask)

/**
 * Attendance of the weeks that have been, in the current term and in the one before it: most come, some are often late, a
 * few stay away. The same university comes out of it every time.
 */
export default demoPart(
  ['meeting_occurrences', 'attendance', 'absence_cases'],
  ['registrations', 'offering_slots', 'bylaws', 'current_terms'],
  async (tx, demo) => {
    const terms = demo.terms.slice(-2).map((one) => one.id)
    // Of the term before, the meetings of a few offerings are known: those that control waits for, and some others.
    await sql`insert into offering_groups (offering_id, number) select id, 1 from offerings where term_id = ${terms[0]}
      on conflict do nothing`.execute(tx)
    await sql`
      with o as (
        select o.id, o.term_id, row_number() over (order by (o.control_status = 'Draft') desc, o.id) - 1 as place from offerings o
        where o.term_id = ${terms[0]} and o.removed_at is null and o.linked_offering_id is null
          and not exists (select from offering_slots m where m.offering_id = o.id)
        order by 3 limit ${BEFORE}
      )
      insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota)
      select o.id, o.term_id, (select min(g.id) from offering_groups g where g.offering_id = o.id), 'Lecture', o.place % 5,
        (select id from slots order by start_time offset (o.place / 5) limit 1), (select count(*) from registrations r where r.offering_id = o.id)
      from o`.execute(tx)
    await sql`insert into registration_slots (registration_id, offering_slot_id)
      select r.id, m.id from registrations r join offering_slots m on m.offering_id = r.offering_id
      where r.term_id = ${terms[0]} and r.status & ${SEATED}::bigint <> 0
        and not exists (select from registration_slots x where x.registration_id = r.id)`.execute(tx)
    // First the unfinished ones of the term before: bans can still be decided there.
    await sql`
      insert into meeting_occurrences (offering_id, offering_slot_id, date, cancelled_at, cancelled_reason)
      select m.offering_id, m.id, d::date, case when lost then d + time '08:00' end,
        case when lost then 'The instructor is at a conference.' end
      from (select o.*, row_number() over (partition by o.term_id order by (o.control_status = 'Draft') desc, o.id % 5, o.id) as place
          from offerings o where o.term_id = any(${terms}::int[]) and o.removed_at is null) o
        join terms t on t.id = o.term_id join offering_slots m on m.offering_id = o.id and m.day is not null
        cross join lateral generate_series(t.start_date + (m.day - ((extract(dow from t.start_date)::int + 1) % 7) + 7) % 7,
          least(t.end_date, ${demo.today}::date - 1), interval '7 days') d
        cross join lateral (select (m.id * 31 + extract(doy from d)::int) % 41 = 0 as lost) x
      where o.place <= ${OFFERINGS} order by d, m.id`.execute(tx)
    // The last one that was cancelled is made up in some days, in the evening.
    await sql`
      insert into meeting_occurrences (offering_id, offering_slot_id, date, makes_up_id, slot_id, location_id)
      select x.offering_id, m.id, ${demo.today}::date + 2 + (m.day = week_place(${demo.today}::date + 2))::int, x.id,
        (select id from slots where removed_at is null order by start_time desc limit 1), m.location_id
      from meeting_occurrences x join offering_slots m on m.id = x.offering_slot_id
      where x.cancelled_at is not null and m.term_id = ${terms[1]} order by x.date desc, x.id limit 1`.execute(tx)
    await sql`
      insert into attendance (occurrence_id, student_id, state, by_scan, recorded_at)
      select x.id, r.student_id, case when luck < away then 'absent' when luck < away + 1 then 'excused' when luck < away + 7 then 'late'
          else 'present' end, luck >= away + 7 and m.id % 3 = 0, (x.date + time '09:00') at time zone university_zone()
      from meeting_occurrences x join offering_slots m on m.id = x.offering_slot_id
        join registration_slots rs on rs.offering_slot_id = m.id join registrations r on r.id = rs.registration_id
        cross join lateral (select abs(hashtext(r.id || '/' || x.id)) % 100 as luck,
          case when abs(hashtext('a' || r.id)) % 24 = 0 then 42 when abs(hashtext('a' || r.id)) % 9 = 0 then 16 else 4 end as away) l
      where x.cancelled_at is null and x.date < ${demo.today}::date and (r.created_at at time zone university_zone())::date <= x.date`.execute(
      tx,
    )
    const standings = await readStandings(
      tx,
      sql`r.term_id = any(${terms}::int[]) and r.id in (select r2.id from registrations r2 join meeting_occurrences x on x.offering_id = r2.offering_id
        join attendance a on a.occurrence_id = x.id and a.student_id = r2.student_id where a.state = 'absent' group by r2.id having count(*) > 1)`,
    )
    const cases = standings.flatMap((standing): { one: (typeof standings)[number]; status: CaseState }[] => {
      const status = standing.settled ? null : nextCase(null, standing.level)
      return status ? [{ one: standing, status }] : []
    })
    const shown = cases.slice(0, BATCH_OF_CASES)
    // Of those whose ban was proposed one was decided against already.
    const proposed = shown.filter(({ status }) => status === 'proposed')
    if (proposed.length > 2) proposed[0]!.status = 'waived'
    // One was warned for absences that were entered by mistake: put right, it is below the limit.
    const mistaken = shown.find(({ status }) => status === 'warned')
    if (mistaken) {
      mistaken.status = 'closed'
      mistaken.one = {
        ...mistaken.one,
        absences: 0,
        share: 0,
      }
      await sql`update attendance a set state = 'present' from registrations r, meeting_occurrences x
        where r.id = ${mistaken.one.registration_id} and a.student_id = r.student_id and x.id = a.occurrence_id
          and x.offering_id = r.offering_id`.execute(tx)
    }
    const ids = await insertNew(
      tx,
      'absence_cases',
      shown.map(({ one, status }) => ({
        registration_id: one.registration_id,
        status,
        absences: one.absences,
        planned: one.counts.planned,
        share: (one.share / 100).toFixed(2),
        proposed_at: status === 'warned' ? null : demo.today,
        decided_reason: status === 'waived' ? 'Ill for three weeks, shown by the hospital.' : null,
      })),
    )
    await insertRows(
      tx,
      'step_history',
      shown.flatMap(({ status }, i) => {
        const step = { workflow: 'absence_case', record_id: ids[i]!, actor_id: null, reason: null }
        const first = status === 'waived' ? 'proposed' : status === 'closed' ? 'warned' : status
        return [
          { ...step, action: 'count', from_state: null, to_state: first },
          ...(status === 'closed' ? [{ ...step, action: 'count', from_state: first, to_state: status }] : []),
          ...(status === 'waived'
            ? [
                {
                  ...step,
                  action: 'waive',
                  from_state: 'proposed',
                  to_state: 'waived',
                  reason: 'Ill for three weeks, shown by the hospital.',
                },
              ]
            : []),
        ]
      }),
    )
    // What was decided in the years before: every ban and every excused course has its decision.
    await sql`with decided as (
        insert into absence_cases (registration_id, status, absences, planned, share, warned_at, proposed_at, decided_reason)
        select r.id, 'banned', 5, 14, 35.71, w.end_date - 40 + time '10:00', w.end_date - 30 + time '13:30', 'Council of the faculty'
        from registrations r join terms w on w.id = r.term_id where r.status & ${flag.Banned.toString()}::bigint <> 0
        on conflict (registration_id) do nothing returning id, warned_at, proposed_at)
      insert into step_history (workflow, record_id, at, action, from_state, to_state, reason)
      select 'absence_case', d.id, x.at, x.action, x.was, x.becomes, x.why from decided d cross join lateral (values
        (d.warned_at, 'count', null, 'proposed', null), (d.proposed_at, 'ban', 'proposed', 'banned', 'Council of the faculty')
      ) as x (at, action, was, becomes, why) order by d.id, x.at`.execute(tx)
    await sql`with decided as (
        insert into excuses (student_id, kind, term_id, offering_id, why, status, created_at)
        select r.student_id, 'course', r.term_id, r.offering_id, 'ظروف صحية موثقة بتقرير طبي.', 'accepted', w.start_date + 40 + time '11:20'
        from registrations r join terms w on w.id = r.term_id where r.status & ${flag.Excused.toString()}::bigint <> 0
        on conflict do nothing returning id, created_at)
      insert into step_history (workflow, record_id, at, action, from_state, to_state)
      select 'excuse', d.id, d.created_at + x.after, x.action, x.was, x.becomes from decided d cross join (values
        (interval '0', 'begin', null, 'requested'), (interval '3 days', 'accept', 'requested', 'accepted')
      ) as x (after, action, was, becomes) order by d.id, x.after`.execute(tx)
  },
)
