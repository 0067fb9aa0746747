import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** What people of the demo university write to each other: minutes ago, who (0 or 1), what. */
const SAID: readonly (readonly (readonly [minutes: number, who: 0 | 1, body: string])[])[] = [
  [
    [190, 0, 'صباح الخير، هل يمكنني إضافة مقرر آخر هذا الفصل؟'],
    [150, 1, 'صباح النور، عبئك الآن 15 ساعة ويمكنك إضافة 3 ساعات.'],
    [148, 1, 'قدّم الطلب وسأراجعه اليوم.'],
    [12, 0, 'قدمت الطلب، شكرًا.'],
  ],
  [
    [2900, 1, 'The list for Monday is ready.'],
    [2880, 0, 'Thank you. Two names are missing, I send them at noon.'],
    [95, 1, 'Got them.'],
  ],
  [
    [300, 1, 'هل يمكن فتح حساب للمعيد الجديد اليوم؟'],
    [280, 0, 'تم، ووصلته الدعوة بالبريد.'],
  ],
]

export default demoPart(
  ['chats', 'chat_members', 'chat_messages'],
  ['users', 'students', 'instructors'],
  async (tx) => {
    const { rows } = await sql<{ a: number; b: number }>`
    (select s.user_id as a, i.user_id as b from students s join users u on u.id = s.user_id join instructors i on i.id = s.advisor_id
      where i.user_id is not null order by split_part(u.email, '@', 1) = 'student' desc, s.id limit 1)
    union all
    (select a.id, b.id from users a, users b where split_part(a.email, '@', 1) = 'registrar' and split_part(b.email, '@', 1) = 'dean')
    union all
    (select a.id, b.id from users a, users b where a.is_super_admin and not a.is_root and split_part(b.email, '@', 1) = 'registrar'
      order by a.id limit 1)`.execute(tx)
    for (const [i, { a, b }] of rows.entries()) {
      const key = [a, b].toSorted((x, y) => x - y).join(':')
      const { rows: made } = await sql<{
        id: number
      }>`insert into chats (kind, direct_key, created_by) values ('direct', ${key}, ${a}) returning id`.execute(tx)
      const { id } = made[0]!
      await sql`insert into chat_members (chat_id, user_id) values (${id}, ${a}), (${id}, ${b})`.execute(tx)
      for (const [minutes, who, body] of SAID[i] ?? [])
        await sql`insert into chat_messages (chat_id, author_id, body, client_key, created_at)
        values (${id}, ${who === 0 ? a : b}, ${body}, gen_random_uuid(), now() - make_interval(mins => ${minutes}))`.execute(
          tx,
        )
      await sql`update chats set last_message_id = (select max(m.id) from chat_messages m where m.chat_id = ${id}) where id = ${id}`.execute(
        tx,
      )
      await sql`update chat_members k set read_to = coalesce((select max(m.id) from chat_messages m where m.chat_id = ${id} and m.author_id = k.user_id), 0)
      where chat_id = ${id}`.execute(tx)
    }
  },
)
