import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Every fifth applicant has a tag, and one of them two. Two may be the same person; two others were said not to be. */
export default demoPart(['applicant_tags', 'applicants_apart'], ['applicants', 'tags'], async (tx) => {
  await sql`insert into applicant_tags (applicant_id, tag_id)
    select t.id, g.id from applicants t join tags g on g.id = 1 + (t.id / 5) % 6 where t.id % 5 = 0
    union
    select t.id, 3 from applicants t where t.id = 10`.execute(tx)
  await sql`update applicants t set phone = o.phone from applicants o
    where (t.id, o.id) in ((11, 9), (14, 2))`.execute(tx)
  await sql`insert into applicants_apart (one_id, other_id, reason, created_by) values (2, 14, 'Brothers, with the telephone of their father',
    (select id from users where email like 'admission@%' order by id limit 1))`.execute(tx)
})
