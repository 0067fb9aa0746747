/** What was recorded of somebody at a meeting, as it counts. */

/**
 * The state that counts of attendance `a` at the occurrence `x`: an absence within an accepted excuse is excused, whoever
 * wrote it first.
 */
export const COUNTED_STATE = `case when a.state = 'absent' and exists (select from excuses e where e.student_id = a.student_id
  and e.status = 'accepted' and e.removed_at is null and x.date between e.from_date and e.to_date and (e.offering_id is null
    or x.offering_id = (select coalesce(eo.linked_offering_id, eo.id) from offerings eo where eo.id = e.offering_id)))
  then 'excused' else a.state end`
