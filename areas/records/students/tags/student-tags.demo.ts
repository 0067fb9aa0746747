import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Every eleventh student has a tag, and some of them two. */
export default demoPart(['student_tags'], ['students', 'tags'], async (tx) => {
  await sql`insert into student_tags (student_id, tag_id)
    select s.id, g.id from students s join tags g on g.id = 1 + (s.id / 11) % 6
    where s.id % 11 = 0
    union
    select s.id, 3 from students s where s.id % 55 = 0`.execute(tx)
})
