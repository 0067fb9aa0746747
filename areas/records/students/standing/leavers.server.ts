import type { Fields } from '#kit/contract/index.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { eraseIn, registerSweep } from '#kit/server/jobs/retention.ts'
import type { Due } from '#kit/server/jobs/retention.ts'
import { student } from '../student/student.contract.ts'

/** Students whose details are erased together. */
const AT_ONCE = 500

/** What is kept to reach somebody who studies, as the fields say (`erased`), and how the person is called; all of it may be empty. */
const DETAILS = [
  ...Object.entries<Fields[string]>(student.fields).flatMap(([name, { erased }]) => (erased ? [name] : [])),
  'used_name',
  'used_name_local',
]

/**
 * Students who left so long ago and of whom there still is something to erase: since the decision on the status that ended
 * their study, else since the end of their last term, else since the record was last changed. The student is `s`, since
 * when is `l.at`.
 */
const left = (days: number) => sql`from students s
  left join users u on u.id = s.user_id
  cross join lateral (select coalesce(
    (select max(d.decided_on) from student_status_decisions d where d.student_id = s.id and d.to_status = s.status),
    (select max(t.end_date) from registrations r join terms t on t.id = r.term_id where r.student_id = s.id),
    s.updated_at::date) as at) l
  where s.status in ('graduated', 'withdrawn', 'transferred', 'dismissed')
    and l.at < university_today() - ${days}::int and not is_held(s.user_id)
    and (${sql.raw(DETAILS.map((name) => `s.${name} is not null`).join(' or '))} or s.data <> '{}'
      or (u.type = 3 and (u.phone is not null or u.photo_file_id is not null) and not exists (
        select from students o where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null
          and o.status in ('studying', 'suspended'))))`

registerSweep('students', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select count(*)::int as count, min(l.at)::text as oldest ${left(days)}`.execute(
      ctx.db,
    )
    return firstRow(rows)
  },
  erase: (ctx, days) =>
    eraseIn(ctx, async (tx) => {
      const { rows } = await sql<{
        id: number
      }>`select s.id ${left(days)} order by s.id limit ${AT_ONCE} for update of s skip locked`.execute(tx)
      const ids = rows.map(({ id }) => id)
      await sql`update students set ${sql.raw(DETAILS.map((name) => `${name} = null`).join(', '))}, data = '{}'
        where id = any(${ids}::int[])`.execute(tx)
      // The account stays for whoever asks for a certificate, unless another record of the person is in use.
      const { rows: accounts } = await sql<{ photo: number | null }>`with whose as (
          select u.id, u.photo_file_id from users u join students s on s.user_id = u.id
          where s.id = any(${ids}::int[]) and u.type = 3 and not exists (
            select from students o where o.user_id = u.id and o.removed_at is null and o.status in ('studying', 'suspended'))
          for update of u)
        update users u set phone = null, photo_file_id = null from whose w where u.id = w.id
        returning w.photo_file_id as photo`.execute(tx)
      const photos = accounts.flatMap(({ photo }) => photo ?? [])
      const { rows: files } = photos.length
        ? await sql<{ hash: string }>`delete from files where id = any(${photos}::int[]) returning hash`.execute(tx)
        : { rows: [] }
      return { count: ids.length, hashes: files.map(({ hash }) => hash) }
    }),
})
