import { sql, type RawBuilder } from 'kysely'

/**
 * SQL: what the result of the registration `alias` is called under a regulation by marks (a rating, or the grade of a
 * state such as absent), null by credit hours: there a letter says it.
 */
export const ratingText = (alias: string): string => `case when ${alias}.maximum is not null then (
    select json_build_object('code', q.code, 'name', q.name, 'name_local', q.name_local) from (
      select q.code, q.name, q.name_local, 1 as place from bylaw_ratings q join students z on z.bylaw_id = q.bylaw_id
        where z.id = ${alias}.student_id and q.code = ${alias}.letter
      union all
      select q.letter, q.name, q.name_local, 2 from special_grades q join students z on z.bylaw_id = q.bylaw_id
        where z.id = ${alias}.student_id and q.letter = ${alias}.letter
      union all
      -- Of a study that was ended: as its bylaw calls it.
      select q.code, q.name, q.name_local, 3 from bylaw_ratings q join former_studies z on z.bylaw_id = q.bylaw_id
        where z.student_id = ${alias}.student_id and q.code = ${alias}.letter
      union all
      select q.letter, q.name, q.name_local, 4 from special_grades q join former_studies z on z.bylaw_id = q.bylaw_id
        where z.student_id = ${alias}.student_id and q.letter = ${alias}.letter) q
    order by q.place limit 1) end`

/** The same as a part of a statement. */
export const ratingJson = (alias: string): RawBuilder<unknown> => sql.raw(ratingText(alias))

/** SQL: grace marks on the registration `alias`; null: none, as always by credit hours. */
export const graceText = (alias: string): string =>
  `case when ${alias}.maximum is not null then (select trim_scale(gm.marks)::text from grace_marks gm where gm.registration_id = ${alias}.id) end`
