import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Every fifth applicant has a tag, and one of them two. */
export default demoPart(['applicant_tags'], ['applicants', 'tags'], async (tx) => {
  await sql`insert into applicant_tags (applicant_id, tag_id)
    select t.id, g.id from applicants t join tags g on g.id = 1 + (t.id / 5) % 6 where t.id % 5 = 0
    union
    select t.id, 3 from applicants t where t.id = 10`.execute(tx)
})
